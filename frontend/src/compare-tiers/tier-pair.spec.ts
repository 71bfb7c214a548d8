import { tiers } from '@kilim/domain/catalog';
import { array, assert, constantFrom, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { pickTier, startingPair } from './tier-pair.ts';

test('a rug is compared with the next better tier, and the best tier with the second best', () => {
  expect(startingPair('economy')).toEqual(['economy', 'midrange']);
  expect(startingPair('midrange')).toEqual(['midrange', 'premium']);
  expect(startingPair('premium')).toEqual(['premium', 'midrange']);
});

test('picking a third tier does not change the other place', () => {
  expect(pickTier(['economy', 'midrange'], 'first', 'premium')).toEqual(['premium', 'midrange']);
  expect(pickTier(['economy', 'midrange'], 'second', 'premium')).toEqual(['economy', 'premium']);
});

test('picking the tier of the other place swaps the two', () => {
  expect(pickTier(['economy', 'midrange'], 'first', 'midrange')).toEqual(['midrange', 'economy']);
  expect(pickTier(['economy', 'midrange'], 'second', 'economy')).toEqual(['midrange', 'economy']);
});

test('after any picks, each place has its picked tier, and the two differ', () => {
  const pick = record({ place: constantFrom('first', 'second'), tier: constantFrom(...tiers) });
  assert(
    property(constantFrom(...tiers), array(pick, { maxLength: 12 }), (current, picks) => {
      let pair = startingPair(current);
      expect(pair[0]).not.toBe(pair[1]);
      for (const { place, tier } of picks) {
        pair = pickTier(pair, place, tier);
        expect(pair[place === 'first' ? 0 : 1]).toBe(tier);
        expect(pair[0]).not.toBe(pair[1]);
      }
    }),
  );
});
