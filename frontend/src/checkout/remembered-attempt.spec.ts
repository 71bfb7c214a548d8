import { afterEach, expect, test, vi } from 'vitest';
import { makeStore } from '../shared/storage.ts';
import { forgetAttempt, loadAttempt, rememberAttempt, watchAttempts } from './remembered-attempt.ts';

const attemptA = { idempotencyKey: 'key-a', orderId: 'order-a', startedAt: '2026-01-05T12:00:00Z' };
const attemptB = { ...attemptA, idempotencyKey: 'key-b' };

/** Survives a reload, unlike the in-memory copy of `makeStore`. */
function browserStorage() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  };
}

function refused(): never {
  throw new DOMException('Access is denied', 'SecurityError');
}

test('an attempt survives a reload and the loss of either store', () => {
  const tab = browserStorage();
  const browser = browserStorage();
  rememberAttempt(attemptA, { tab: makeStore(() => tab), browser: makeStore(() => browser) });
  expect(loadAttempt({ tab: makeStore(() => tab), browser: makeStore(() => browser) })).toEqual(attemptA);
  expect(loadAttempt({ tab: makeStore(browserStorage), browser: makeStore(() => browser) })).toEqual(attemptA);
  expect(loadAttempt({ tab: makeStore(() => tab), browser: makeStore(refused) })).toEqual(attemptA);
});

test('an attempt is kept in memory if the browser forbids all storage', () => {
  const stores = { tab: makeStore(refused), browser: makeStore(refused) };
  rememberAttempt(attemptA, stores);
  expect(loadAttempt(stores)).toEqual(attemptA);
  forgetAttempt(attemptA, stores);
  expect(loadAttempt(stores)).toBeUndefined();
});

test('a tab forgets its own attempt, but not that of another tab', () => {
  const browser = browserStorage();
  const first = browserStorage();
  const second = browserStorage();
  const firstTab = { tab: makeStore(() => first), browser: makeStore(() => browser) };
  const secondTab = { tab: makeStore(() => second), browser: makeStore(() => browser) };
  rememberAttempt(attemptA, firstTab);
  rememberAttempt(attemptB, secondTab);
  forgetAttempt(attemptA, firstTab);
  expect(loadAttempt(secondTab)).toEqual(attemptB);
  expect(loadAttempt(firstTab)).toEqual(attemptB);
});

test.each(['', 'null', '{"idempotencyKey":""}', '{'])('the invalid text “%s” is ignored', (text) => {
  const tab = browserStorage();
  tab.setItem('paymentAttempt', text);
  expect(loadAttempt({ tab: makeStore(() => tab), browser: makeStore(browserStorage) })).toBeUndefined();
});

afterEach(() => {
  vi.unstubAllGlobals();
});

test('only a new attempt of another tab is reported, not other changes of the storage', () => {
  const page = new EventTarget();
  vi.stubGlobal('window', page);
  const reported: string[] = [];
  const stop = watchAttempts(({ idempotencyKey }) => reported.push(idempotencyKey));
  const store = (key: string, newValue: string | null) =>
    page.dispatchEvent(Object.assign(new Event('storage'), { key, newValue }));
  store('paymentAttempt', JSON.stringify(attemptB));
  store('paymentAttempt', null);
  store('paymentAttempt', '{');
  store('currentOrder', JSON.stringify(attemptB));
  stop();
  store('paymentAttempt', JSON.stringify(attemptA));
  expect(reported).toEqual(['key-b']);
});
