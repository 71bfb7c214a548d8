import type { Cents } from '@kilim/domain/money';
import { settingsLimits as limits } from '@kilim/domain/settings/settings';
import * as z from 'zod/mini';
import { requestedDollars } from './money.ts';
import { byRow, byTier } from './settings.ts';
import { plainText } from './text.ts';

/** Node and browsers both have it; neither's types are loaded here. */
declare const URL: {
  canParse(text: string): boolean;
  new (text: string): { readonly protocol: string; readonly host: string };
};

const priceMessage = 'Please enter a price from 0.01 to 1000.00 dollars with at most two decimals';
const price = requestedDollars(priceMessage).check(
  z.refine((cents: Cents) => cents >= limits.lowestPrice && cents <= limits.highestPrice, priceMessage),
);

function line(longest: number, least = 0) {
  return z.string('Please enter text').check(
    z.overwrite((text) => plainText(text).replaceAll(/\s+/g, ' ').trim()),
    z.minLength(least, 'Please fill in this field'),
    z.maxLength(longest, `At most ${longest} characters`),
  );
}

/** Lines that are not empty, each once. */
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
    .check(z.trim(), z.maxLength(limits.longestAddress, `At most ${limits.longestAddress} characters`));
}

const webAddress = address('Please enter an address').check(
  z.refine((text) => /^https?:$/.test(protocolOf(text)), 'Please enter an address that begins with https://'),
);

/** An image of this server, or one of a secure host. */
const imageAddress = address('Please upload an image').check(
  z.refine(
    (text) =>
      text === '' ||
      /^\/images\/[0-9a-f]{64}\.webp$/.test(text) ||
      (protocolOf(text) === 'https:' && hasPlainHost(text)),
    'Please upload an image, or enter an address that begins with https://',
  ),
);

/** The host becomes a part of the content security policy, where `;` begins a new directive. */
function hasPlainHost(text: string): boolean {
  return !/\s/.test(text) && /^[a-z0-9.-]+(?::\d{1,5})?$/.test(new URL(text).host);
}

function protocolOf(text: string): string {
  return URL.canParse(text) ? new URL(text).protocol : '';
}

/** An image that is null or empty is removed. */
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
      }),
      'Please list the drop-off sites',
    )
    .check(z.maxLength(limits.mostDropOffSites, `At most ${limits.mostDropOffSites} drop-off sites`)),
});

/**
 * `POST /api/admin/settings`. A save names the version that it started from, in `If-Match` (as `ETag` gave it) or in
 * `version`. A field that it leaves out stays as it is. Fields that this version does not know are kept under their
 * names; null removes one.
 */
export const settingsRequest = z.looseObject({
  tierPrices: z.optional(byTier(price, missingTier)),
  tierFeatures: z.optional(byTier(features, missingTier)),
  tierComparison: z.optional(
    z.object({
      rows: byRow(wordsRequest, 'Please fill in every row'),
      recommendations: wordsRequest,
      experience: z.object({ title: line(100), text: line(500) }, 'Please fill in this part'),
    }),
  ),
  /** The limit holds after the server has cleaned the markup; this one keeps the cleaning short. */
  terms: z.optional(
    z
      .string('Please enter text')
      .check(z.maxLength(limits.longestTerms * 2, `At most ${limits.longestTerms} characters`)),
  ),
  addOnImages: z.optional(addOnImages),
  business: z.optional(business),
  version: z.optional(z.int().check(z.gte(0))),
});
