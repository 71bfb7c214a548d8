import { expect, test } from 'vitest';
import { dismissToast, shownToast, showToast, subscribeToToasts } from './toast-store.ts';

test('a new message takes the place of the one that is shown', () => {
  showToast({ title: 'First' });
  const first = shownToast();
  showToast({ title: 'Second', variant: 'destructive' });
  expect(shownToast()).toMatchObject({ title: 'Second', variant: 'destructive' });
  dismissToast(first?.id ?? 0);
  expect(shownToast()).toMatchObject({ title: 'Second' });
});

test('dismissing the shown message leaves none, and tells those who look', () => {
  showToast({ title: 'Only' });
  let told = 0;
  const unsubscribe = subscribeToToasts(() => {
    told += 1;
  });
  dismissToast(shownToast()?.id ?? 0);
  expect(shownToast()).toBeUndefined();
  unsubscribe();
  showToast({ title: 'Unseen' });
  expect(told).toBe(1);
});
