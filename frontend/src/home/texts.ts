import { type Cents, formatDollars } from '@kilim/domain/money';
import card from './art/card.svg';
import delivery from './art/delivery.svg';
import size from './art/size.svg';

export const homeTexts = {
  experience: '37+ years of rug cleaning',
  heading: 'Careful cleaning for the rugs you live with',
  lead: 'Enter a size, choose a tier and see your price as you type. Drop your rugs off or have them picked up.',
  tiersHeading: 'Three ways to clean',
  from: (price: Cents) => `${formatDollars(price)} per sq ft`,
  howHeading: 'How it works',
  how: [
    {
      picture: size,
      title: 'Give us a size',
      text: 'An estimate is fine: we measure each rug when it arrives. If it costs less, we refund the difference; if more, we ask before we clean it, with a link to pay.',
    },
    {
      picture: delivery,
      title: 'Choose drop-off or pickup',
      text: 'Bring them to us, or have them collected within 1-5 days.',
    },
    {
      picture: card,
      title: 'Pay by card',
      text: 'You see the total, tax included, before you pay.',
    },
  ],
  sitesHeading: 'Drop-off sites',
} as const;
