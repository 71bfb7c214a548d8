import { expect, test } from 'vitest';
import { problemOfPasswords } from './password-calls.ts';

const next = 'gravel umbrella telegraph 41';

test('a password that is asked for must be given; one that the sign-in has proven is not asked for', () => {
  expect(problemOfPasswords({ current: '', next, confirm: next })).toBe('All fields are required');
  expect(problemOfPasswords({ current: 'plover', next, confirm: next })).toBeUndefined();
  expect(problemOfPasswords({ current: undefined, next, confirm: next })).toBeUndefined();
});

test('the new one is long enough and confirmed, however the current one was proven', () => {
  for (const current of ['plover', undefined]) {
    expect(problemOfPasswords({ current, next: '', confirm: next })).toBe('All fields are required');
    expect(problemOfPasswords({ current, next: 'abc', confirm: 'abc' })).toMatch(/at least 4 characters/);
    expect(problemOfPasswords({ current, next, confirm: 'another' })).toBe('Passwords do not match');
  }
});
