import { expect, test } from 'vitest';
import { isSticky, navbarPlace } from './navbar.ts';

const inSight = { sticky: true, covered: false };

test('the bar is sticky when more than 100 pixels of the form are visible', () => {
  expect(isSticky({ top: 0, bottom: 100 })).toBe(false);
  expect(isSticky({ top: 400, bottom: 501 })).toBe(true);
});

test('the form shows its floating bar only after waiting for a message from the parent', () => {
  expect(navbarPlace('waiting', inSight)).toBe('resting');
  expect(navbarPlace('form', inSight)).toBe('floating');
  expect(navbarPlace('parent', inSight)).toBe('parent');
});

test('the form hides its floating bar while an element of the parent covers it', () => {
  expect(navbarPlace('form', { sticky: true, covered: true })).toBe('parent');
  expect(navbarPlace('form', { sticky: false, covered: true })).toBe('resting');
});
