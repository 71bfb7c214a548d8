import { mostRugsPerOrder } from '@kilim/domain/catalog';
import { type Cents, formatDollars, formatWholeDollars } from '@kilim/domain/money';
import { formatSquareFeet, type SquareInches } from '@kilim/domain/rug';

/** Texts from the specification are verbatim. */
export const orderFormTexts = {
  pageTitle: { rugs: 'Order rug cleaning', cart: 'Cart & Checkout' },
  formHeading: 'Order rug cleaning',

  stepOf: { rugs: 'Step 1 of 3', cart: 'Step 2 of 3' },
  rugsHeading: 'Your Rugs',
  cartHeading: 'Cart & Checkout',

  rug: (index: number) => `Rug #${index + 1}`,
  removeRug: (index: number) => `Remove Rug #${index + 1}`,
  remove: 'Remove',
  edit: 'Edit',
  editRug: (index: number) => `Edit Rug #${index + 1}`,
  rugRemoved: (index: number) => `Rug #${index + 1} removed`,
  undo: 'Undo',
  duplicateRug: (index: number) => `Duplicate Rug #${index + 1}`,
  duplicate: 'Duplicate',
  addRug: 'Add another rug',
  noRugs: 'Your order holds no rugs. Everything else you entered is kept.',
  rugLimit: `An order can have up to ${mostRugsPerOrder} rugs. Please contact us for more.`,
  continueToCart: 'Continue to cart',

  size: 'Size',
  sizeHint: 'You can also type a whole size, such as 8x10, 5\'6" or 2m x 3m.',
  /** The keypad of a phone has a star, and no x. */
  sizeHintOnPhone: 'You can also type both sides at once, with a star: 8*10.',
  sizeHelp: 'About the size',
  sizeTooltip:
    'The size may be an estimate: our technicians verify it on receipt. Enter length and width in just feet, just inches or both.',
  commonSizes: 'Common sizes',
  sizeFields: {
    widthFeet: 'Width (feet)',
    widthInches: 'Width (inches)',
    lengthFeet: 'Length (feet)',
    lengthInches: 'Length (inches)',
  },
  area: (area: SquareInches) => `Area: ${formatSquareFeet(area)} sq ft`,
  sideMissing: { width: 'Enter the width', length: 'Enter the length' },
  sideTooLong: (mostInches: number) => `We clean rugs of up to ${mostInches / 12} feet a side`,
  areaTooSmall: (leastSquareInches: number) => `A rug has to be at least ${leastSquareInches / 144} sq ft`,
  emailRefused: 'This address was not accepted. Please check it',
  readingSize: 'Reading the size…',
  notASize: (typed: string) =>
    `We cannot read “${shorten(typed)}”, so it counts as 0. Enter whole feet and inches, or a size such as 8x10, 5'6" or 200x300 cm`,
  whichSize: (typed: string) => `What size is “${shorten(typed)}”? Please choose it, or type it with its unit`,
  reallyFeet: (typed: string) => `Is it really ${typed} feet? Please choose the size, or enter the inches, too`,
  sizeChoices: 'Which size is it?',
  rugProblem: (index: number, message: string) => `Rug #${index + 1}: ${message}`,

  tier: 'Service tier',
  perSquareFoot: (rate: Cents) => `${formatDollars(rate)} per sq ft`,
  pickupIncluded: 'with pickup & delivery',
  forThisRug: 'for this rug',
  minimumCharge: (minimum: Cents) => `${formatWholeDollars(minimum)} minimum`,
  minimumApplies: 'minimum charge',

  swipeTiers: 'Swipe to compare tiers',
  previousTier: 'Previous tier',
  nextTier: 'Next tier',

  addOns: 'Add-ons',
  addOnHints: {
    stainProtection: 'A protective finish against spills.',
    greenPad: 'Moth protection.',
    repairInspection: 'Done after cleaning; we tell you what we find.',
  },
  included: 'Included',
  free: 'Free',
  addOnRate: (rate: Cents) => `${formatDollars(rate)} per sq ft`,
  dayPassed: (day: string) => `We can no longer come on ${day}, so this is now “Any day”`,

  summary: 'Order Summary',
  summarySubtitle: 'Review your cleaning request details',
  summaryEmpty: 'Add a rug to see your order summary',
  lines: {
    subtotal: 'Subtotal',
    delivery: 'White Glove Pickup & Delivery',
    deliveryMinimum: 'Delivery Minimum',
    deliveryMinimumNote: (minimum: Cents) => `${formatWholeDollars(minimum)} minimum order requirement`,
    stainProtection: 'Stain Protection',
    greenPad: 'Green Pad',
    salesTaxNote: 'on add-ons only',
    total: 'Total',
  },
  totalAnnounced: (total: Cents) => `Order total ${formatDollars(total)}`,

  steps: 'Order steps',
  progress: 'Order progress',
  cartTab: 'Cart & Checkout',

  cartNotLoaded: 'The cart could not be loaded',
} as const;

/** As in the specification (section 8). */
export const refusalToasts = {
  incompleteDimensions: {
    title: 'Incomplete rug dimensions',
    description: 'Please provide complete dimensions for all rugs before proceeding to cart.',
  },
  noRugs: { title: 'Cannot submit order', description: 'Please add at least one rug to your order.' },
  invalidDimensions: {
    title: 'Invalid dimensions',
    description: 'Please ensure all rugs have valid dimensions.',
  },
  missingInformation: { title: 'Missing information', description: 'Please fill in all required fields.' },
  submitFailed: {
    title: 'Error',
    description: 'There was a problem submitting your order. Please try again.',
  },
} as const;
export type Refusal = keyof typeof refusalToasts;

function shorten(typed: string): string {
  const text = typed.trim();
  return text.length > 20 ? `${text.slice(0, 19)}…` : text;
}
