// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { scrollWhenSettled } from './scroll-when-settled.ts';

let frameHeight = 800;
let contentHeight = 800;

beforeEach(() => {
  vi.useFakeTimers();
  frameHeight = 800;
  contentHeight = 800;
  vi.spyOn(window, 'innerHeight', 'get').mockImplementation(() => frameHeight);
  vi.spyOn(document.documentElement, 'getBoundingClientRect').mockImplementation(
    () => new DOMRect(0, 0, 390, contentHeight),
  );
});
afterEach(() => {
  vi.advanceTimersByTime(2000);
  vi.useRealTimers();
});

function resizeTo(height: number): void {
  frameHeight = height;
  window.dispatchEvent(new Event('resize'));
}

test('with new content, it scrolls when the parent has given the frame its new height', () => {
  const scroll = vi.fn();
  contentHeight = 1600;
  scrollWhenSettled(scroll, true);
  expect(scroll).not.toHaveBeenCalled();
  resizeTo(1200);
  expect(scroll).not.toHaveBeenCalled();
  resizeTo(1600);
  expect(scroll).toHaveBeenCalledTimes(1);
});

test('with unchanged content, or a parent that does not resize the frame, it scrolls immediately', () => {
  const scroll = vi.fn();
  scrollWhenSettled(scroll, true);
  expect(scroll).toHaveBeenCalledTimes(1);
  contentHeight = 1600;
  scrollWhenSettled(scroll, false);
  expect(scroll).toHaveBeenCalledTimes(2);
});

test('it scrolls again whenever the height changes within a second', () => {
  const scroll = vi.fn();
  scrollWhenSettled(scroll, false);
  resizeTo(900);
  expect(scroll).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(1000);
  resizeTo(1000);
  expect(scroll).toHaveBeenCalledTimes(2);
});

test('if the parent does not resize the frame within a second, it scrolls all the same', () => {
  const scroll = vi.fn();
  contentHeight = 1600;
  scrollWhenSettled(scroll, true);
  vi.advanceTimersByTime(1000);
  expect(scroll).toHaveBeenCalledTimes(1);
});

test.each(['wheel', 'pointerdown'])('after a %s of the customer it scrolls no more', (type) => {
  const [scroll, end] = [vi.fn(), vi.fn()];
  contentHeight = 1600;
  scrollWhenSettled(scroll, true, end);
  window.dispatchEvent(new Event(type));
  expect(end).toHaveBeenCalledTimes(1);
  resizeTo(1600);
  vi.advanceTimersByTime(1000);
  expect(scroll).not.toHaveBeenCalled();
});

test('a later scroll replaces an earlier one', () => {
  const [first, second] = [vi.fn(), vi.fn()];
  contentHeight = 1600;
  scrollWhenSettled(first, true);
  scrollWhenSettled(second, true);
  resizeTo(1600);
  expect(first).not.toHaveBeenCalled();
  expect(second).toHaveBeenCalledTimes(1);
});
