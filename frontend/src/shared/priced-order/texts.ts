import { type Cents, formatWholeDollars } from '@kilim/domain/money';

export const pricedOrderTexts = {
  rug: (number: number) => `Rug #${number}`,
  area: (squareFeet: string) => `${squareFeet} sq ft`,
  baseCost: 'Base cost',
  rate: (squareFeet: string, price: string) => `${squareFeet} sq ft at ${price}`,
  minimumCharge: (tier: string) => `${tier} minimum charge`,
  supplement: 'What the measured size adds',
  stainIncluded: 'Stain protection included',
  stainProtection: 'Stain protection',
  greenPad: 'Green Pad',
  repairInspection: 'Repair inspection',
  repairInspectionNote: 'Free, done after cleaning',
  delivery: 'White Glove Pickup & Delivery',
  deliveryMinimum: 'Delivery Minimum',
  deliveryMinimumNote: (minimum: Cents) => `${formatWholeDollars(minimum)} minimum order requirement`,
  total: 'Total',
} as const;
