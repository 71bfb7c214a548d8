import { describe, expect, test } from 'vitest';
import { base32Of, codeOfStep, isOneTimeCode, matchingStep, oneTimeCodeAddress, stepAt } from './one-time-code.ts';

/** The test vectors of RFC 6238, appendix B. */
const secret = Buffer.from('12345678901234567890');
const at = (seconds: number) => new Date(seconds * 1000);

describe('RFC 6238, appendix B', () => {
  test.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('at %d seconds the code is %s', (seconds, code) => {
    expect(codeOfStep(secret, stepAt(at(seconds)), 8)).toBe(code);
    expect(codeOfStep(secret, stepAt(at(seconds)))).toBe(code.slice(2));
  });
});

test.each([
  [-2, undefined],
  [-1, 36],
  [0, 37],
  [1, 38],
  [2, undefined],
])('a code that is %d steps away belongs to step %s', (away, step) => {
  expect(matchingStep(secret, codeOfStep(secret, 37 + away), at(37 * 30 + 29))).toBe(step);
});

test.each(['28708', '9428708a', '', '287 082', '٢٨٧٠٨٢'])('%j is no code', (text) => {
  expect(isOneTimeCode(text)).toBe(false);
  expect(matchingStep(secret, text, at(59))).toBeUndefined();
});

// RFC 4648, section 10.
test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('%j is %j in base32', (text, base32) => {
  expect(base32Of(Buffer.from(text))).toBe(base32);
});

test('the address names the shop and the person', () => {
  expect(oneTimeCodeAddress(secret, 'Kilim: Rug Care', 'ada@example.com')).toBe(
    'otpauth://totp/Kilim%20%20Rug%20Care:ada%40example.com' +
      '?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Kilim%3A%20Rug%20Care',
  );
});
