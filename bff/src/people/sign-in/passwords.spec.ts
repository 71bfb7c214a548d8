import fc from 'fast-check';
import { expect, test } from 'vitest';
import { limitConcurrency, TooBusy } from '../../core/runtime/limit-concurrency.ts';
import { weaknessOf, whileAwaited } from './password-strength.ts';
import { hashPassword, isPassword } from './passwords.ts';

test('a password is stored as an Argon2id hash with its costs and a fresh salt', async () => {
  const [first, second] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
  expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(second).not.toBe(first);
  expect(await isPassword('correct horse', first)).toBe(true);
  expect(await isPassword('Correct horse', first)).toBe(false);
});

test('no password matches an account that does not exist', async () => {
  expect(await isPassword('correct horse', undefined)).toBe(false);
});

test.each(['', 'abc', 'x🧶🧶'])('%j is too short', async (password) => {
  expect(await weaknessOf(password, [])).toMatchObject({
    message: 'Password must be at least 4 characters long',
  });
});

test('128 characters are allowed, 129 are too many', async () => {
  const long = 'Wq7z.'.repeat(30);
  expect(await weaknessOf(long.slice(0, 128), [])).not.toMatchObject({ message: expect.stringMatching(/at most/) });
  expect(await weaknessOf(long.slice(0, 129), [])).toMatchObject({
    message: 'Password must be at most 128 characters long',
  });
});

test.each([
  'abcd',
  '1234',
  'password1',
  'P@ssw0rd2026',
  'qwertyuiop',
  'kilimrugs',
  'RugCleaning1',
  'premium-midrange',
  'ada.lovelace',
  'Golden Fleece 24',
])('%j is refused as too easy to guess, with advice', async (password) => {
  const weakness = await weaknessOf(password, ['ada.lovelace', 'Golden Fleece']);
  expect(weakness).toMatchObject({ message: 'Password is too easy to guess' });
  expect(weakness?.suggestions.length).toBeGreaterThan(0);
});

test.each([
  'thisisapassword',
  'ThisIsAPassword',
  'g_czechout',
  'correcthorsebatterystaple',
  'Correct-Horse-Battery-Staple-1',
  'Tr0ub4dor&3',
])('%j is refused as stolen elsewhere, with advice', async (password) => {
  expect(await weaknessOf(password, [])).toEqual({
    message: 'Password is in a public list of stolen passwords',
    suggestions: [expect.stringContaining('Choose one that you use nowhere else')],
  });
});

test.each(['zaq12wsxZAQ!@WSX', '!QAZ@WSX#EDC'])(
  '%j is one walk along the keyboard, with and without Shift',
  async (password) => {
    expect(await weaknessOf(password, [])).toMatchObject({ message: 'Password is too easy to guess' });
  },
);

test.each(['😀😁😂🤣😃', '🐶🚀🍕🎂🌋', '👨‍👩‍👧‍👦👩‍🚀🏴‍☠️🧑🏽‍🍳🏳️‍🌈'])(
  '%s is five characters, and so too easy to guess',
  async (password) => {
    expect(await weaknessOf(password, [])).toMatchObject({ message: 'Password is too easy to guess' });
  },
);

test('a password of fewer than eight characters is never strong', async () => {
  const characters = fc.array(fc.constantFrom(...'q7$Kp2!xZ9ñ書🪡'), { minLength: 4, maxLength: 7 });
  const weak = fc.asyncProperty(characters, async (chosen) => (await weaknessOf(chosen.join(''), [])) !== undefined);
  await fc.assert(weak, { numRuns: 30 });
});

test('an emoji strengthens a password as another character does', async () => {
  expect(await weaknessOf('🧶🦊🍕🚲🎸🌋🦑🧿🎷🥝🛶🪁', [])).toBeUndefined();
});

test.each([
  'plover sandstone harbour 88',
  'zK4!vq0-Tbn2',
  'my aunt bought a green canoe',
  'aB3$xY9!qZ',
  'kfq7-2mzd-r8tw-bvn4',
])('%j is strong enough', async (password) => {
  expect(await weaknessOf(password, ['admin', 'Kilim Rug Care'])).toBeUndefined();
});

test('the allowed number runs concurrently, in order of arrival, and a failure frees its place', async () => {
  const run = limitConcurrency(2);
  let running = 0;
  let most = 0;
  const order: number[] = [];
  const work = (index: number) => async () => {
    running += 1;
    most = Math.max(most, running);
    order.push(index);
    await new Promise((resolve) => setTimeout(resolve, 2));
    running -= 1;
    if (index % 3 === 0) throw new Error('failed');
  };
  await Promise.allSettled(Array.from({ length: 20 }, (_, index) => run(work(index))));
  expect(most).toBe(2);
  expect(order).toEqual(Array.from({ length: 20 }, (_, index) => index));
});

test('work is refused when the queue is full', async () => {
  const run = limitConcurrency(1);
  let end = () => {};
  const first = run(() => new Promise<void>((resolve) => (end = resolve)));
  const waiting = Array.from({ length: 50 }, () => run(async () => undefined));
  await expect(run(async () => undefined)).rejects.toBeInstanceOf(TooBusy);
  end();
  await Promise.all([first, ...waiting]);
});

test('a person does not wait longer for the judgement than her page does', async () => {
  await expect(whileAwaited(new Promise(() => undefined), 10)).rejects.toBeInstanceOf(TooBusy);
  expect(await whileAwaited(Promise.resolve('strong'), 10_000)).toBe('strong');
});
