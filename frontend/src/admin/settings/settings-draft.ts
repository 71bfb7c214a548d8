import { tiers } from '@kilim/domain/catalog';
import { parseDollars } from '@kilim/domain/money';
import { type DropOffSite, settingsLimits } from '@kilim/domain/settings/settings';
import { comparisonRows } from '@kilim/domain/tier-comparison';
import type { AdminSettings, SettingsConflict } from './settings-calls.ts';
import { settingsTexts } from './texts.ts';

/** The settings in the form: texts by path (`tierPrices.premium`), exactly as typed. */
export type SettingsDraft = {
  readonly texts: Readonly<Record<string, string>>;
  /** Addresses by what they show. An empty one is removed. */
  readonly images: Readonly<Record<string, string>>;
  readonly dropOffSites: readonly DropOffSite[];
};

export const imageNames = ['pad', 'protection', 'repair'] as const;
export type ImageName = (typeof imageNames)[number];

export const pricePaths = tiers.map((tier) => `tierPrices.${tier}`);
export const featurePaths = tiers.map((tier) => `tierFeatures.${tier}`);
export const comparisonPaths = [
  ...comparisonRows.flatMap((row) => tiers.map((tier) => `tierComparison.rows.${row}.${tier}`)),
  ...tiers.map((tier) => `tierComparison.recommendations.${tier}`),
  'tierComparison.experience.title',
  'tierComparison.experience.text',
];
export const businessPaths = ['business.name', 'business.phone', 'business.bookingUrl'];
export const termsPath = 'terms';
const textPaths = [...pricePaths, ...featurePaths, ...comparisonPaths, termsPath, ...businessPaths];

export function draftOf(settings: AdminSettings): SettingsDraft {
  return {
    texts: Object.fromEntries(textPaths.map((path) => [path, textOf(path, valueAt(settings, path))])),
    images: settings.addOnImages,
    dropOffSites: settings.business.dropOffSites,
  };
}

/** The whole object to save: the draft over the loaded settings, so that unknown fields are kept. */
export function settingsFrom(base: AdminSettings, draft: SettingsDraft): Readonly<Record<string, unknown>> {
  const withTexts = textPaths.reduce<Readonly<Record<string, unknown>>>(
    (whole, path) => withValueAt(whole, path.split('.'), valueFor(path, draft.texts[path] ?? '')),
    base,
  );
  const sites = draft.dropOffSites.map(siteOf).filter((site) => Object.values(site).some((text) => text !== ''));
  return withValueAt({ ...withTexts, addOnImages: imagesToSave(base, draft) }, ['business', 'dropOffSites'], sites);
}

/** Empty optional texts are left out. */
function siteOf({ name, note, address = '', hours = '' }: DropOffSite): DropOffSite {
  return {
    name: name.trim(),
    note: note.trim(),
    ...(address.trim() === '' ? {} : { address: address.trim() }),
    ...(hours.trim() === '' ? {} : { hours: hours.trim() }),
  };
}

/** Null removes an image. */
function imagesToSave(base: AdminSettings, { images }: SettingsDraft): Readonly<Record<string, string | null>> {
  const names = [...new Set([...Object.keys(base.addOnImages), ...Object.keys(images)])];
  return Object.fromEntries(names.map((name) => [name, images[name] || null]));
}

/** The draft with one field in its form on the wire: a choice between two saves. */
export function withField(draft: SettingsDraft, path: string, value: unknown): SettingsDraft {
  const [, image] = /^addOnImages\.(.+)$/.exec(path) ?? [];
  if (image !== undefined) {
    return { ...draft, images: { ...draft.images, [image]: typeof value === 'string' ? value : '' } };
  }
  if (path === 'business.dropOffSites') return { ...draft, dropOffSites: value as readonly DropOffSite[] };
  if (!textPaths.includes(path)) return draft;
  return { ...draft, texts: { ...draft.texts, [path]: textOf(path, value) } };
}

type Difference = SettingsConflict['differences'][number];

/** Both sides changed the field, to different values. */
export function isOfBoth({ base, yours, theirs }: Difference): boolean {
  return !isSame(base, yours) && !isSame(base, theirs);
}

function isSame(first: unknown, second: unknown): boolean {
  return JSON.stringify(first ?? null) === JSON.stringify(second ?? null);
}

/** The other side's settings with the fields that only this side changed, and with this side's choices. */
export function mergedDraft(
  { current, differences }: SettingsConflict,
  isChosen: (path: string) => boolean = () => false,
): SettingsDraft {
  const mine = differences.filter((each) => (isOfBoth(each) ? isChosen(each.path) : !isSame(each.base, each.yours)));
  return mine.reduce((draft, { path, yours }) => withField(draft, path, yours), draftOf(current));
}

/** The problems that the page can find in the draft, by path. */
export function problemsOf(draft: SettingsDraft): Readonly<Record<string, string>> {
  const { lowestPrice, highestPrice } = settingsLimits;
  const wrong = pricePaths.filter((path) => {
    const price = parseDollars((draft.texts[path] ?? '').replace('$', ''));
    return price === undefined || price < lowestPrice || price > highestPrice;
  });
  return Object.fromEntries(wrong.map((path) => [path, settingsTexts.priceProblem]));
}

export function isSameDraft(first: SettingsDraft, second: SettingsDraft): boolean {
  const comparable = ({ texts, images, dropOffSites }: SettingsDraft) => {
    const kept = Object.entries(images).filter(([, address]) => address !== '');
    return JSON.stringify([texts, kept.toSorted(([a], [b]) => (a < b ? -1 : 1)), dropOffSites]);
  };
  return comparable(first) === comparable(second);
}

function textOf(path: string, value: unknown): string {
  if (path.startsWith('tierPrices.') && typeof value === 'number') return value.toFixed(2);
  if (Array.isArray(value)) return value.join('\n');
  return typeof value === 'string' ? value : '';
}

function valueFor(path: string, text: string): unknown {
  if (path.startsWith('tierPrices.')) return text.replace('$', '').trim();
  if (!path.startsWith('tierFeatures.')) return path === termsPath ? text : text.trim();
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function valueAt(whole: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (part, name) => (typeof part === 'object' && part !== null ? (part as Record<string, unknown>)[name] : undefined),
      whole,
    );
}

function withValueAt(
  whole: Readonly<Record<string, unknown>>,
  [name = '', ...rest]: readonly string[],
  value: unknown,
): Readonly<Record<string, unknown>> {
  if (rest.length === 0) return { ...whole, [name]: value };
  const part = whole[name];
  const inner = typeof part === 'object' && part !== null ? (part as Record<string, unknown>) : {};
  return { ...whole, [name]: withValueAt(inner, rest, value) };
}
