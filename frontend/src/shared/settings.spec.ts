import { anything, assert, property } from 'fast-check';
import { expect, test } from 'vitest';
import { settingsOf } from './settings.ts';

test('the settings are kept as they were given, and terms are a text', () => {
  const given = { terms: '<b>Be kind</b>', tierComparison: { rows: {} } };
  expect(settingsOf(given)).toEqual({ terms: '<b>Be kind</b>', given });
  expect(settingsOf({ terms: ['none'] }).terms).toBe('');
});

test('no content of the settings breaks a page', () => {
  assert(
    property(anything(), (given) => {
      expect(typeof settingsOf(given).terms).toBe('string');
    }),
  );
  for (const given of [undefined, null, 7, 'settings', [], {}]) expect(settingsOf(given).terms).toBe('');
});
