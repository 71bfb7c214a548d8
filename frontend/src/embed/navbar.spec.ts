import { expect, test } from 'vitest';
import { isSticky, navbarPlace } from './navbar.ts';

const inSight = { sticky: true, covered: false };

test('the bar stays in sight once more than 100 pixels of the form are in view', () => {
  expect(isSticky({ top: 0, bottom: 100 })).toBe(false);
  expect(isSticky({ top: 400, bottom: 501 })).toBe(true);
});

test('the form draws its bar only when the parent has had the time to say that it does', () => {
  expect(navbarPlace('waiting', inSight)).toBe('resting');
  expect(navbarPlace('form', inSight)).toBe('floating');
  expect(navbarPlace('parent', inSight)).toBe('parent');
});

test("what the parent puts over the form's bar takes its place, for as long as it is there", () => {
  expect(navbarPlace('form', { sticky: true, covered: true })).toBe('parent');
  expect(navbarPlace('form', { sticky: false, covered: true })).toBe('resting');
});
