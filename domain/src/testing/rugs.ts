import { choose, newRug, type Rug, side } from '../rug.ts';

/** 8 ft 0 in x 10 ft 0 in, premium: 80 sq ft. */
export const largePremium: Rug = { ...newRug, width: side(8, 0), length: side(10, 0) };

/** 5 ft 6 in x 7 ft 0 in, economy with Green Pad: 38.5 sq ft. */
export const economyWithGreenPad: Rug = {
  ...choose(newRug, { tier: 'economy' }),
  width: side(5, 6),
  length: side(7, 0),
  greenPad: true,
};

/** 2 ft x 3 ft, economy: 6 sq ft, far below the tier's minimum. */
export const smallEconomy: Rug = { ...choose(newRug, { tier: 'economy' }), width: side(2, 0), length: side(3, 0) };
