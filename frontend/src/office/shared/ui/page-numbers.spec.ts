import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pageSteps } from './page-numbers.ts';

test('the first, the last and the current page with its neighbours are shown, with gaps between them', () => {
  expect(pageSteps(1, 1)).toEqual([1]);
  expect(pageSteps(1, 2)).toEqual([1, 2]);
  expect(pageSteps(1, 10)).toEqual([1, 2, 'gap-after', 10]);
  expect(pageSteps(5, 10)).toEqual([1, 'gap-before', 4, 5, 6, 'gap-after', 10]);
  expect(pageSteps(10, 10)).toEqual([1, 'gap-before', 9, 10]);
  expect(pageSteps(3, 5)).toEqual([1, 2, 3, 4, 5]);
});

test('pages are in order, each once, and a gap is exactly where pages are left out', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 200 }), (first, second) => {
      const [current, last] = first < second ? [first, second] : [second, first];
      const steps = pageSteps(current, last);
      const pages = steps.filter((step) => typeof step === 'number');
      expect(pages).toEqual([...new Set(pages)].toSorted((a, b) => a - b));
      expect(pages).toContain(current);
      expect([pages[0], pages.at(-1)]).toEqual([1, last]);
      for (const [index, step] of steps.entries()) {
        const [before, after] = [steps[index - 1], steps[index + 1]];
        if (typeof step === 'string') expect(Number(after) - Number(before)).toBeGreaterThan(1);
        else if (typeof after === 'number') expect(after).toBe(step + 1);
      }
    }),
  );
});
