import { expect, test } from 'vitest';
import { makeStore } from './storage.ts';

function memoryStorage() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  };
}

const forbidden = () => {
  throw new DOMException('The operation is insecure.', 'SecurityError');
};

test('a written text is in the browser’s storage', () => {
  const browser = memoryStorage();
  const store = makeStore(() => browser);
  store.write('currentOrder', 'a');
  expect(browser.getItem('currentOrder')).toBe('a');
  store.remove('currentOrder');
  expect(store.read('currentOrder')).toBeNull();
});

test('a text is kept in memory if storage is forbidden', () => {
  const store = makeStore(forbidden);
  expect(store.read('rugFormState')).toBeNull();
  store.write('rugFormState', 'draft');
  expect(store.read('rugFormState')).toBe('draft');
  store.remove('rugFormState');
  expect(store.read('rugFormState')).toBeNull();
});

test('if the disk is full, the newer text in memory wins over the stored one', () => {
  const browser = memoryStorage();
  browser.setItem('rugFormState', 'old');
  const full = { ...browser, setItem: forbidden };
  const store = makeStore(() => full);
  store.write('rugFormState', 'new');
  expect(store.read('rugFormState')).toBe('new');
});

test('a removed text reads as absent even if the browser failed to remove it', () => {
  const browser = memoryStorage();
  browser.setItem('currentOrder', 'old');
  const store = makeStore(() => ({ ...browser, removeItem: forbidden }));
  store.remove('currentOrder');
  expect(store.read('currentOrder')).toBeNull();
});
