import { expect, test } from 'vitest';
import { dismissToast, shownToast, showToast, subscribeToToasts } from './toast-store.ts';

test('a new toast replaces the shown one', () => {
  showToast({ title: 'First' });
  const first = shownToast();
  showToast({ title: 'Second', variant: 'destructive' });
  expect(shownToast()).toMatchObject({ title: 'Second', variant: 'destructive' });
  dismissToast(first?.id ?? 0);
  expect(shownToast()).toMatchObject({ title: 'Second' });
});

test('dismissing the shown toast leaves none and notifies the subscribers', () => {
  showToast({ title: 'Only' });
  let notifications = 0;
  const unsubscribe = subscribeToToasts(() => {
    notifications += 1;
  });
  dismissToast(shownToast()?.id ?? 0);
  expect(shownToast()).toBeUndefined();
  unsubscribe();
  showToast({ title: 'Unseen' });
  expect(notifications).toBe(1);
});
