import { expect, test } from 'vitest';
import { sealWith } from './seal.ts';

const secret = Buffer.from('12345678901234567890');
const { open, close } = sealWith('a key');

test('a sealed secret can be opened for its account, and does not contain the secret', () => {
  const sealed = Buffer.from(close(secret, 'ada'));
  expect(open(sealed, 'ada')).toEqual(secret);
  expect(sealed.includes(secret)).toBe(false);
  expect(close(secret, 'ada')).not.toEqual(sealed);
});

test('a sealed secret cannot be opened for another account, with another key, or after a change', () => {
  const sealed = close(secret, 'ada');
  expect(open(sealed, 'eve')).toBeUndefined();
  expect(sealWith('another key').open(sealed, 'ada')).toBeUndefined();
  for (const place of [0, 15, sealed.length - 1]) {
    const changed = Uint8Array.from(sealed);
    changed[place] = (changed[place] ?? 0) ^ 1;
    expect(open(changed, 'ada')).toBeUndefined();
  }
});
