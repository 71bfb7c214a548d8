/** Specification, section 4. */
export const tiers = ['premium', 'midrange', 'economy'] as const;
export type Tier = (typeof tiers)[number];

export type TierOffer = {
  readonly name: string;
  readonly description: string;
  readonly features: readonly string[];
};

/** Section 9 of the specification. Settings may replace features; `rates.ts` has the prices. */
export const tierOffers: Readonly<Record<Tier, TierOffer>> = {
  premium: {
    name: 'Premium',
    description: 'Deep clean with premium restoration',
    features: ['Museum-quality clean', 'Fiber protection', '3-day turnaround'],
  },
  midrange: {
    name: 'Midrange',
    description: 'Enhanced cleaning with stain treatment',
    features: ['Deep cleaning', 'Stain treatment', '5-day turnaround'],
  },
  economy: {
    name: 'Economy',
    description: 'Basic cleaning with standard care',
    features: ['Basic hand cleaning', 'Dust removal', '7-day turnaround'],
  },
};

/** Limits of one order keep every product of sizes and prices an exact integer. */
export const largestSideInches = 1200;
export const smallestAreaSquareInches = 72;
export const mostRugsPerOrder = 50;

export const deliveryOptions = ['dropoff', 'pickup'] as const;
export type DeliveryOption = (typeof deliveryOptions)[number];
