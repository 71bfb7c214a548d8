import { tiers } from '@kilim/domain/catalog';
import { parseDollars } from '@kilim/domain/money';
import { ok, type Result, rejected } from '@kilim/domain/result';
import { settingsLimits as limits, type Settings } from '@kilim/domain/settings/settings';
import { comparisonRows } from '@kilim/domain/tier-comparison';
import { z } from 'zod';
import { canonicalJson } from '../../ledger/hash.ts';
import { cleanTerms } from './terms.ts';

const priceMessage = 'Please enter a price from 0.01 to 1000.00 dollars with at most two decimals';

/** Decimal digits as they were written, never a product of floating-point arithmetic. */
const price = z.unknown().transform((value, context) => {
  const cents = parseDollars(value);
  if (cents !== undefined && cents >= limits.lowestPrice && cents <= limits.highestPrice) return cents;
  context.addIssue({ code: 'custom', message: priceMessage });
  return z.NEVER;
});

function line(longest: number, least = 0) {
  return z
    .string('Please enter text')
    .transform((text) => plain(text).replaceAll(/\s+/g, ' ').trim())
    .pipe(z.string().min(least, 'Please fill in this field').max(longest, `At most ${longest} characters`));
}

/** Without control characters, which nobody types, and in whole characters. */
function plain(text: string): string {
  return text.toWellFormed().replaceAll(/[^\P{Cc}\n\t]/gu, '');
}

function byTier<Part extends z.ZodType>(part: Part) {
  return z.object(
    Object.fromEntries(tiers.map((tier) => [tier, part])) as Record<(typeof tiers)[number], Part>,
    'Please give this for each tier',
  );
}

const features = z
  .array(line(limits.longestLine), 'Please enter one feature per line')
  .transform((lines) => [...new Set(lines.filter((text) => text !== ''))])
  .pipe(z.array(z.string()).max(limits.mostFeatures, `At most ${limits.mostFeatures} features`));

const words = byTier(line(300));

const tierComparison = z.object({
  rows: z.object(
    Object.fromEntries(comparisonRows.map((row) => [row, words])) as Record<
      (typeof comparisonRows)[number],
      typeof words
    >,
    'Please fill in every row',
  ),
  recommendations: words,
  experience: z.object({ title: line(100), text: line(500) }, 'Please fill in this part'),
});

/** Cleaned before it is measured: what is thrown away does not count. */
const terms = z
  .string('Please enter text')
  .max(limits.longestTerms * 2, `At most ${limits.longestTerms} characters`)
  .transform((text) => cleanTerms(plain(text)))
  .pipe(z.string().max(limits.longestTerms, `At most ${limits.longestTerms} characters`));

const webAddress = z
  .string('Please enter an address')
  .trim()
  .max(limits.longestAddress, `At most ${limits.longestAddress} characters`)
  .refine(
    (text) => protocolOf(text) === 'https:' || protocolOf(text) === 'http:',
    'Please enter an address that begins with https://',
  );

/** An image of ours, or one of a secure host. */
const imageAddress = z
  .string('Please upload an image')
  .trim()
  .max(limits.longestAddress, `At most ${limits.longestAddress} characters`)
  .refine(
    (text) =>
      text === '' || /^\/images\/[0-9a-f]{64}\.webp$/.test(text) || (protocolOf(text) === 'https:' && !/\s/.test(text)),
    'Please upload an image, or enter an address that begins with https://',
  );

const addOnImages = z
  .record(z.string().regex(/^[A-Za-z][A-Za-z0-9]{0,39}$/, 'A name is letters and digits'), imageAddress.nullable())
  .refine((images) => Object.keys(images).length <= limits.mostImages, `At most ${limits.mostImages} images`)
  .transform((images) =>
    Object.fromEntries(Object.entries(images).flatMap(([name, address]) => (address ? [[name, address]] : []))),
  );

const business = z.object({
  name: line(100, 1),
  // A business need not have either; what it has must be of use.
  phone: line(60).pipe(z.string().regex(/^$|(\d\D*){7}/, 'Please enter a phone number')),
  bookingUrl: z.literal('').or(webAddress),
  dropOffSites: z
    .array(z.object({ name: line(100, 1), note: line(200) }), 'Please list the drop-off sites')
    .max(limits.mostDropOffSites, `At most ${limits.mostDropOffSites} drop-off sites`),
});

const known = {
  tierPrices: byTier(price).optional(),
  tierFeatures: byTier(features).optional(),
  tierComparison: tierComparison.optional(),
  terms: terms.optional(),
  addOnImages: addOnImages.optional(),
  business: business.optional(),
};

/** What a save carries: the fields that we know, and whatever else stands beside them. */
export const settingsRequest = z.looseObject({ ...known, version: z.int().min(0).optional() });

export type SettingsRequest = z.output<typeof settingsRequest>;

/** The settings that a save asks for: what it names, over what holds. */
export function requestedSettings(
  request: SettingsRequest,
  current: Settings,
): Result<Settings, Readonly<Record<string, string>>> {
  const more = { ...current.more };
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(request)) {
    if (name === 'version' || Object.hasOwn(known, name)) continue;
    const problem = problemOfUnknown(name, value);
    if (problem !== undefined) fields[name] = problem;
    else if (value === null) delete more[name];
    else more[name] = value;
  }
  if (Object.keys(more).length > limits.mostUnknownFields)
    fields['body'] = `At most ${limits.mostUnknownFields} further fields`;
  const {
    tierPrices,
    tierFeatures,
    tierComparison: comparison,
    terms: text,
    addOnImages: images,
    business: shop,
  } = request;
  const settings: Settings = {
    tierPrices: tierPrices ?? current.tierPrices,
    tierFeatures: tierFeatures ?? current.tierFeatures,
    tierComparison: comparison ?? current.tierComparison,
    terms: text ?? current.terms,
    addOnImages: images ?? current.addOnImages,
    business: shop ?? current.business,
    more,
  };
  if (canonicalJson(settings).length > limits.largest) fields['body'] = 'The settings are too large';
  return Object.keys(fields).length > 0 ? rejected(fields) : ok(settings);
}

const deepest = 8;
/** Names that mean something to JavaScript itself. */
const treacherous = new Set(['__proto__', 'constructor', 'prototype']);

function problemOfUnknown(name: string, value: unknown): string | undefined {
  if (!/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(name) || treacherous.has(name)) return 'This is not the name of a setting';
  return isHarmless(value, deepest) ? undefined : 'This is nested too deeply or has names that cannot be kept';
}

function isHarmless(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0) return false;
  return Object.entries(value).every(([key, part]) => !treacherous.has(key) && isHarmless(part, depth - 1));
}

function protocolOf(text: string): string | undefined {
  return URL.canParse(text) ? new URL(text).protocol : undefined;
}
