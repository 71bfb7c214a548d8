import { type Cents, formatDollars } from '@kilim/domain/money';

/** The texts of the introduction. */
export const homeTexts = {
  experience: '37+ years of rug cleaning',
  heading: 'Careful cleaning for the rugs you live with',
  lead: 'Enter a size, choose a tier and see your price as you type. Drop your rugs off or have them picked up.',
  start: 'Start your order',
  tiersHeading: 'Three ways to clean',
  from: (price: Cents) => `${formatDollars(price)} per sq ft`,
  howHeading: 'How it works',
  how: [
    {
      title: 'Give us a size',
      text: 'Feet, inches or both. An estimate is fine; we measure again on arrival.',
    },
    {
      title: 'Choose drop-off or pickup',
      text: 'Bring them to us, or have them collected within 1-5 days.',
    },
    { title: 'Pay by card', text: 'The total you see is the total you pay. Your receipt comes by email.' },
  ],
  sitesHeading: 'Drop-off sites',
} as const;
