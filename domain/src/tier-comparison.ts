import type { Tier } from './catalog.ts';

/** In the order in which they are shown (specification, section 2.2). */
export const comparisonRows = [
  'washProcess',
  'washingCoverage',
  'waterSaturation',
  'deDusting',
  'tierPerks',
  'specialBonuses',
] as const;
export type ComparisonRow = (typeof comparisonRows)[number];

export type WordsByTier = Readonly<Record<Tier, string>>;

/** Settings may replace it; the built-in text fills gaps. */
export type TierComparison = {
  readonly rows: Readonly<Record<ComparisonRow, WordsByTier>>;
  readonly recommendations: WordsByTier;
  /** Why customers can trust the business. */
  readonly experience: { readonly title: string; readonly text: string };
};

/** A module of its own, because only the comparison needs these words. */
export const tierComparison: TierComparison = {
  rows: {
    washProcess: {
      premium: 'By hand, in several baths, matched to fiber and dye',
      midrange: 'By hand, one deep bath, stains treated first',
      economy: 'By hand, one basic wash',
    },
    washingCoverage: {
      premium: 'Front, back, edges and fringe',
      midrange: 'Front, edges and fringe',
      economy: 'Front',
    },
    waterSaturation: {
      premium: 'Full: rinsed until the water runs clear',
      midrange: 'Deep: down to the base of the pile',
      economy: 'Light: the surface of the pile',
    },
    deDusting: {
      premium: 'Front and back, repeated until no grit falls',
      midrange: 'Front and back, once',
      economy: 'Front, once',
    },
    tierPerks: {
      premium: 'Stain protection included',
      midrange: 'Stain treatment included',
      economy: 'Our lowest price',
    },
    specialBonuses: {
      premium: 'Fringe combed by hand, free repair inspection',
      midrange: 'Free repair inspection',
      economy: 'Free repair inspection',
    },
  },
  recommendations: {
    premium: 'Silk, antique and hand-knotted rugs, and any rug you could not replace.',
    midrange: 'Wool and family rugs that see daily steps, spills or pets.',
    economy: 'Sturdy everyday rugs that are dusty rather than stained.',
  },
  experience: {
    title: '37+ years',
    text: 'of rug cleaning. Our technicians look at every rug, front and back, before they wash it.',
  },
};
