import { largestSideInches } from '@kilim/domain/catalog';
import { type PickupWindow, pickupWindows } from '@kilim/domain/contact';
import { type Day, weekdays } from '@kilim/domain/day';
import { type Cents, formatDollars } from '@kilim/domain/money';
import { decimalPercent, type Millipercent } from '@kilim/domain/percent';
import { eachWeekday, notZipCode, zipCodeServed } from '@kilim/domain/pickup-plan';
import type { Inches } from '@kilim/domain/rug';
import { type SettleableStep, settleableSteps } from '@kilim/domain/settings/first-day';
import { settingsLimits as limits, type SalesTaxRate } from '@kilim/domain/settings/settings';
import { isOrderable, type SizePreset } from '@kilim/domain/size-presets';
import * as z from 'zod/mini';
import { day, daysInOrder } from './days.ts';
import { refundLimitsRequest } from './refund-limits.ts';
import { requestedDollars, requestedPercent } from './requested-number.ts';
import { byRow, byTier } from './settings.ts';
import { line, oneLineText } from './text.ts';

/** Node and browsers both have it; neither's types are loaded here. */
declare const URL: {
  canParse(text: string): boolean;
  new (text: string): { readonly protocol: string; readonly host: string };
};

const priceMessage = 'Please enter a price from 0.01 to 1000.00 dollars with at most two decimals';
const price = amountBetween(limits.lowestPrice, limits.highestPrice, priceMessage);
const zero = 0 as Cents;
const addOnPrice = amountBetween(
  zero,
  limits.highestPrice,
  'Please enter a price from 0.00 to 1000.00 dollars with at most two decimals',
);
const minimum = amountBetween(
  zero,
  limits.highestMinimum,
  `Please enter an amount from $0.00 to ${formatDollars(limits.highestMinimum)} with at most two decimals`,
);

const largestOrder = amountBetween(
  limits.lowestLargestOrder,
  limits.highestLargestOrder,
  `Please enter an amount from ${formatDollars(limits.lowestLargestOrder)} to ${formatDollars(limits.highestLargestOrder)} with at most two decimals`,
);

const zipCodes = z.pipe(
  z
    .array(
      z.string('Please write ZIP codes').check(
        z.regex(zipCodeServed, {
          error: ({ input }) => notZipCode(String(input)),
        }),
      ),
      'Please list the ZIP codes',
    )
    .check(z.maxLength(limits.mostZipCodes, `At most ${limits.mostZipCodes} ZIP codes`)),
  z.transform((codes: string[]) => [...new Set(codes)].toSorted()),
);

/** In the order of the day. */
const windows = z.pipe(
  z.array(z.enum(pickupWindows, `Please choose ${pickupWindows.join(', ')}`), 'Please list the times'),
  z.transform((chosen: PickupWindow[]) => pickupWindows.filter((window) => chosen.includes(window))),
);

const mostPickups = `Please enter a whole number from 1 to ${limits.mostPickupsPerDay}, or nothing`;

const pickupPlan = z.object(
  {
    zipCodes,
    windows: z
      .object(
        eachWeekday(() => windows),
        'Please give each day',
      )
      .check(
        z.refine((byDay) => weekdays.some((weekday) => byDay[weekday].length > 0), 'Please choose at least one day'),
      ),
    mostPerDay: z.nullable(
      z.int(mostPickups).check(z.gte(1, mostPickups), z.lte(limits.mostPickupsPerDay, mostPickups)),
    ),
    closedDays: z.pipe(
      z
        .array(z.object({ from: day, to: day }).check(daysInOrder), 'Please list the closed days')
        .check(z.maxLength(limits.mostClosedDays, `At most ${limits.mostClosedDays} lines`)),
      z.transform((spans: { from: Day; to: Day }[]) =>
        spans.toSorted((first, second) => (first.from < second.from ? -1 : 1)),
      ),
    ),
  },
  'Please give the days and places of pickup',
);

function amountBetween(lowest: Cents, highest: Cents, message: string) {
  return requestedDollars(message).check(z.refine((cents: Cents) => cents >= lowest && cents <= highest, message));
}

const missingPrice = 'Please give each price';

const percentMessage = `Please enter a percentage from 0 to ${decimalPercent(limits.highestTaxRate)} with at most three decimals`;
const taxPercent = requestedPercent(percentMessage).check(
  z.refine((rate: Millipercent) => rate <= limits.highestTaxRate, percentMessage),
);

const taxRates = z.pipe(
  z
    .array(z.object({ since: day, percent: taxPercent }), 'Please list the rates')
    .check(
      z.minLength(1, 'Please give at least one rate'),
      z.maxLength(limits.mostTaxRates, `At most ${limits.mostTaxRates} rates`),
      z.superRefine(refuseRepeatedDays),
    ),
  z.transform((rates: { since: SalesTaxRate['since']; percent: Millipercent }[]): readonly SalesTaxRate[] =>
    rates
      .map(({ since, percent }) => ({ since, millipercent: percent }))
      .toSorted((first, second) => (first.since < second.since ? -1 : 1)),
  ),
);

function refuseRepeatedDays(
  rates: readonly { readonly since: string }[],
  { addIssue }: { readonly addIssue: (issue: { code: 'custom'; message: string; path: PropertyKey[] }) => void },
) {
  for (const [place, { since }] of rates.entries()) {
    if (rates.findIndex((rate) => rate.since === since) === place) continue;
    addIssue({ code: 'custom', message: 'Another rate begins on this day', path: [place, 'since'] });
  }
}

const sizeMessage = `A side is from 1 inch to ${largestSideInches / 12} feet, and a rug at least half a square foot`;
const presetSide = z.custom<Inches>((value) => Number.isSafeInteger(value), 'Please give whole inches');
const sizePresets = z
  .array(
    z.object({ width: presetSide, length: presetSide }).check(z.refine<SizePreset>(isOrderable, sizeMessage)),
    'Please list the sizes',
  )
  .check(z.maxLength(limits.mostSizePresets, `At most ${limits.mostSizePresets} sizes`));

const features = z.pipe(
  z.pipe(
    z.array(line(limits.longestLine), 'Please enter one feature per line'),
    z.transform((lines: string[]) => [...new Set(lines.filter((text) => text !== ''))]),
  ),
  z.array(z.string()).check(z.maxLength(limits.mostFeatures, `At most ${limits.mostFeatures} features`)),
);

const missingTier = 'Please give this for each tier';
const wordsRequest = byTier(line(300), missingTier);

function address(missing: string) {
  return z
    .string(missing)
    .check(z.overwrite(oneLineText), z.maxLength(limits.longestAddress, `At most ${limits.longestAddress} characters`));
}

const webAddress = address('Please enter an address').check(
  z.refine((text) => /^https?:$/.test(protocolOf(text)), 'Please enter an address that begins with https://'),
);

const imageAddress = address('Please upload an image').check(
  z.refine(
    (text) =>
      text === '' ||
      /^\/images\/[0-9a-f]{64}\.webp$/.test(text) ||
      (protocolOf(text) === 'https:' && hasPlainHost(text)),
    'Please upload an image, or enter an address that begins with https://',
  ),
);

/** The host becomes part of the content security policy, where `;` begins a new directive. */
function hasPlainHost(text: string): boolean {
  return !/\s/.test(text) && /^[a-z0-9.-]+(?::\d{1,5})?$/.test(new URL(text).host);
}

function protocolOf(text: string): string {
  return URL.canParse(text) ? new URL(text).protocol : '';
}

/** Null or empty removes an image. */
const addOnImages = z.pipe(
  z
    .record(
      z.string().check(z.regex(/^[A-Za-z][A-Za-z0-9]{0,39}$/, 'A name is letters and digits')),
      z.nullable(imageAddress),
    )
    .check(
      z.refine((images) => Object.keys(images).length <= limits.mostImages, `At most ${limits.mostImages} images`),
    ),
  z.transform((images: Readonly<Record<string, string | null>>) =>
    Object.fromEntries(Object.entries(images).flatMap(([name, image]) => (image ? [[name, image]] : []))),
  ),
);

const business = z.object({
  name: line(100, 1),
  // A business may have neither a telephone nor a booking page. An address or number that it gives must be usable.
  phone: line(60).check(z.regex(/^$|(\d\D*){7}/, 'Please enter a phone number')),
  bookingUrl: z.union([z.literal(''), webAddress]),
  dropOffSites: z
    .array(
      z.object({
        name: line(100, 1),
        note: line(200),
        address: z.exactOptional(line(200, 1)),
        hours: z.exactOptional(line(200, 1)),
        link: z.exactOptional(webAddress),
      }),
      'Please list the drop-off sites',
    )
    .check(z.maxLength(limits.mostDropOffSites, `At most ${limits.mostDropOffSites} drop-off sites`)),
});

const { shortestRetentionMonths: fewest, longestRetentionMonths: most } = limits;
const monthsMessage = `Please enter whole months from ${fewest} to ${most}`;
const months = z.int(monthsMessage).check(z.gte(fewest, monthsMessage), z.lte(most, monthsMessage));

const daysMessage = `Please enter whole days from 1 to ${limits.mostCollectDays}`;
const days = z.int(daysMessage).check(z.gte(1, daysMessage), z.lte(limits.mostCollectDays, daysMessage));

/** In the order of the list. */
const settled = z.pipe(
  z.array(z.enum(settleableSteps, `Please choose ${settleableSteps.join(', ')}`), 'Please list the steps'),
  z.transform((chosen: SettleableStep[]) => settleableSteps.filter((step) => chosen.includes(step))),
);

/**
 * A save names the version that it started from, in `If-Match` (as `ETag` gave it) or in `version`. A field that it
 * leaves out stays as it is. Fields that this version does not know are kept under their names; null removes one.
 */
export const settingsRequest = z.looseObject({
  tierPrices: z.optional(byTier(price, missingTier)),
  tierMinimums: z.optional(byTier(minimum, missingTier)),
  addOnPrices: z.optional(z.object({ stainProtection: addOnPrice, greenPad: addOnPrice }, missingPrice)),
  pickup: z.optional(z.object({ price: addOnPrice, minimumOrder: minimum }, missingPrice)),
  largestOrder: z.optional(largestOrder),
  pickupPlan: z.optional(pickupPlan),
  salesTax: z.optional(
    z.object({ name: line(limits.longestTaxName, 1), rates: taxRates }, 'Please give the name and the rates'),
  ),
  sizePresets: z.optional(sizePresets),
  tierFeatures: z.optional(byTier(features, missingTier)),
  tierComparison: z.optional(
    z.object({
      rows: byRow(wordsRequest, 'Please fill in every row'),
      recommendations: wordsRequest,
      experience: z.object({ title: line(100), text: line(500) }, 'Please fill in this part'),
    }),
  ),
  /** Limits the work of cleaning the markup. The real limit holds after the cleaning. */
  terms: z.optional(
    z
      .string('Please enter text')
      .check(z.maxLength(limits.longestTerms * 2, `At most ${limits.longestTerms} characters`)),
  ),
  addOnImages: z.optional(addOnImages),
  business: z.optional(business),
  notices: z.optional(z.object({ above: minimum }, 'Please give the amount')),
  refundLimits: z.optional(refundLimitsRequest),
  contactRetention: z.optional(z.object({ months: z.nullable(months) })),
  intake: z.optional(
    z.object(
      { waiveBelow: minimum, measuring: line(limits.longestLine), collectWithinDays: days },
      'Please fill in every field',
    ),
  ),
  firstDay: z.optional(z.object({ settled, isHidden: z.boolean('Please say yes or no') })),
  version: z.optional(z.int().check(z.gte(0))),
});
