import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepDraft } from './keep-draft.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function formInPage() {
  const listeners = new Set<() => void>();
  const page = new EventTarget();
  const saves: number[] = [];
  const form = {
    subscribe: (changed: () => void) => {
      listeners.add(changed);
      return { unsubscribe: () => void listeners.delete(changed) };
    },
  };
  const stop = keepDraft(form, () => void saves.push(saves.length), page);
  const change = () => {
    for (const listener of listeners) listener();
  };
  return { page, saves, stop, change };
}

test('many changes within 300 ms are saved once', () => {
  const { saves, change } = formInPage();
  change();
  vi.advanceTimersByTime(200);
  change();
  change();
  vi.advanceTimersByTime(100);
  expect(saves).toHaveLength(1);
  vi.advanceTimersByTime(1000);
  expect(saves).toHaveLength(1);
});

test('on a busy page the draft is saved when the browser is idle', () => {
  const waiting: (() => void)[] = [];
  vi.stubGlobal('requestIdleCallback', (act: () => void) => waiting.push(act));
  const { saves, change } = formInPage();
  change();
  vi.advanceTimersByTime(300);
  expect(saves).toHaveLength(0);
  for (const act of waiting) act();
  expect(saves).toHaveLength(1);
});

test.each(['pagehide', 'visibilitychange'])('on %s a pending change is saved immediately', (leaving) => {
  const { page, saves, change } = formInPage();
  change();
  page.dispatchEvent(new Event(leaving));
  expect(saves).toHaveLength(1);
});

test('leaving an unchanged page saves nothing', () => {
  const { page, saves } = formInPage();
  page.dispatchEvent(new Event('pagehide'));
  expect(saves).toHaveLength(0);
});

test('stopping saves a pending change, and later changes are not saved', () => {
  const { saves, stop, change } = formInPage();
  change();
  stop();
  change();
  vi.advanceTimersByTime(1000);
  expect(saves).toHaveLength(1);
});
