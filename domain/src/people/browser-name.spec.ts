import { expect, test } from 'vitest';
import { browserName } from './browser-name.ts';

test('a browser gets its own name, not one that it also claims', () => {
  const chrome =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';
  expect(browserName(chrome)).toBe('Chrome on Windows');
  expect(browserName(`${chrome} Edg/156.0.0.0`)).toBe('Edge on Windows');
  expect(browserName('Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:150.0) Gecko/20100101 Firefox/150.0')).toBe(
    'Firefox on Mac',
  );
  expect(
    browserName(
      'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 Version/26.0 Mobile/15E148 Safari/604.1',
    ),
  ).toBe('Safari on iPhone');
});

test('an unknown user agent has no name', () => {
  expect(browserName('curl/8.5.0')).toBeUndefined();
  expect(browserName('')).toBeUndefined();
});
