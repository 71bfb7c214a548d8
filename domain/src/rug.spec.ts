import { describe, expect, test } from 'vitest';
import { checkRug, choose, formatSquareFeet, newRug, type SquareInches, side } from './rug.ts';
import { largePremium } from './testing/rugs.ts';

describe('choosing a tier', () => {
  test('a new rug is premium with stain protection included', () => {
    expect(newRug).toMatchObject({ tier: 'premium', stainProtection: true, greenPad: false, repairInspection: false });
  });

  test('premium turns stain protection on', () => {
    expect(choose(choose(newRug, { tier: 'economy' }), { tier: 'premium' }).stainProtection).toBe(true);
  });

  test('leaving premium turns stain protection off', () => {
    expect(choose(newRug, { tier: 'midrange' }).stainProtection).toBe(false);
  });

  test('between the other tiers the choice stays', () => {
    const chosen = choose(choose(newRug, { tier: 'midrange' }), { stainProtection: true });
    expect(choose(chosen, { tier: 'economy' }).stainProtection).toBe(true);
  });

  test('stain protection cannot be taken off premium', () => {
    expect(choose(newRug, { stainProtection: false }).stainProtection).toBe(true);
  });
});

describe('a rug that can be ordered', () => {
  test('has both sides', () => {
    expect(checkRug({ ...largePremium, length: side(0, 0) })).toEqual({
      ok: false,
      rejection: { code: 'SideMissing', side: 'length' },
    });
  });

  test('has at least half a square foot', () => {
    expect(checkRug({ ...largePremium, width: side(0, 11), length: side(0, 6) })).toMatchObject({
      ok: false,
      rejection: { code: 'AreaTooSmall' },
    });
    expect(checkRug({ ...largePremium, width: side(1, 0), length: side(0, 6) }).ok).toBe(true);
  });

  test('has no side past 100 feet', () => {
    expect(checkRug({ ...largePremium, width: side(100, 1) })).toMatchObject({
      rejection: { code: 'SideTooLong', side: 'width' },
    });
    expect(checkRug({ ...largePremium, width: side(100, 0) }).ok).toBe(true);
  });
});

describe('sizes', () => {
  test('a fraction of an inch is a bug, not a side', () => {
    expect(() => side(5.5, 0)).toThrow(RangeError);
    expect(() => side(-1, 0)).toThrow(RangeError);
  });

  test.each([
    [11_520, '80.00'],
    [5_544, '38.50'],
    [77, '0.53'],
    [0, '0.00'],
  ])('%i square inches read %s', (area, text) => {
    expect(formatSquareFeet(area as SquareInches)).toBe(text);
  });
});
