import { expect, test } from 'vitest';
import { ageSecondsOf, ageText } from './data-age.ts';

const answer = (headers: Record<string, string>) => ({ headers: new Headers(headers) });

test('data of the primary, and of a replica that keeps up, need no notice', () => {
  expect(ageText(ageSecondsOf(answer({})))).toBeUndefined();
  expect(ageText(ageSecondsOf(answer({ 'x-data-age': '0' })))).toBeUndefined();
  expect(ageText(ageSecondsOf(answer({ 'x-data-age': '5' })))).toBeUndefined();
  expect(ageText(ageSecondsOf(answer({ 'x-data-age': 'soon' })))).toBeUndefined();
});

test('older data say how old they may be', () => {
  expect(ageText(ageSecondsOf(answer({ 'x-data-age': '7' })))).toBe('This may be 7 seconds behind the newest orders.');
});
