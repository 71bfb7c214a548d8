import type { DropOffSite } from '@kilim/domain/settings/settings';
import type { AdminSettings, SettingsConflict } from '../shared/settings/settings-calls.ts';
import { sitesPath, taxRatesPath, textOf, textPaths, valueFor, type WireTaxRate } from './settings-fields.ts';

/** Texts by path (`tierPrices.premium`), as typed. */
export type SettingsDraft = {
  readonly texts: Readonly<Record<string, string>>;
  /** By what they show; an empty one is removed. */
  readonly images: Readonly<Record<string, string>>;
  readonly taxRates: readonly TypedTaxRate[];
  readonly dropOffSites: readonly DropOffSite[];
};

export type TypedTaxRate = { readonly percent: string; readonly since: string };

export const imageNames = ['pad', 'protection', 'repair'] as const;
export type ImageName = (typeof imageNames)[number];

export function draftOf(settings: AdminSettings): SettingsDraft {
  return {
    texts: Object.fromEntries(textPaths.map((path) => [path, textOf(path, valueAt(settings, path))])),
    images: settings.addOnImages,
    taxRates: typedRates(settings.salesTax.rates),
    dropOffSites: settings.business.dropOffSites,
  };
}

/**
 * The draft over the loaded settings, so that unknown fields are kept. Other forms' fields are left out, because nobody
 * looked at them here.
 */
export function settingsFrom(base: AdminSettings, draft: SettingsDraft): Readonly<Record<string, unknown>> {
  const { refundLimits: _, contactRetention: __, firstDay: ___, ...ofForm } = base;
  const withTexts = textPaths.reduce<Readonly<Record<string, unknown>>>(
    (whole, path) => withValueAt(whole, path.split('.'), valueFor(path, draft.texts[path] ?? '')),
    ofForm,
  );
  const rates = draft.taxRates.map(({ percent, since }) => ({ percent: percent.trim(), since }));
  const sites = draft.dropOffSites.map(siteOf).filter((site) => Object.values(site).some((text) => text !== ''));
  const withLists = [
    [taxRatesPath, rates],
    [sitesPath, sites],
  ] as const;
  return withLists.reduce<Readonly<Record<string, unknown>>>(
    (whole, [path, list]) => withValueAt(whole, path.split('.'), list),
    { ...withTexts, addOnImages: imagesToSave(base, draft) },
  );
}

function typedRates(rates: readonly WireTaxRate[]): readonly TypedTaxRate[] {
  return rates.map(({ percent, since }) => ({ percent: String(percent), since }));
}

function siteOf({ name, note, ...optional }: DropOffSite): DropOffSite {
  const kept = Object.entries(optional).flatMap(([part, text = '']) =>
    text.trim() === '' ? [] : [[part, text.trim()] as const],
  );
  return { name: name.trim(), note: note.trim(), ...Object.fromEntries(kept) };
}

/** Null removes an image. */
function imagesToSave(base: AdminSettings, { images }: SettingsDraft): Readonly<Record<string, string | null>> {
  const names = [...new Set([...Object.keys(base.addOnImages), ...Object.keys(images)])];
  return Object.fromEntries(names.map((name) => [name, images[name] || null]));
}

/** One side's choice, in its form on the wire. */
export function withField(draft: SettingsDraft, path: string, value: unknown): SettingsDraft {
  const [, image] = /^addOnImages\.(.+)$/.exec(path) ?? [];
  if (image !== undefined) {
    return { ...draft, images: { ...draft.images, [image]: typeof value === 'string' ? value : '' } };
  }
  if (path === sitesPath) return { ...draft, dropOffSites: value as readonly DropOffSite[] };
  if (path === taxRatesPath) return { ...draft, taxRates: typedRates(value as readonly WireTaxRate[]) };
  if (!textPaths.includes(path)) return draft;
  return { ...draft, texts: { ...draft.texts, [path]: textOf(path, value) } };
}

type Difference = SettingsConflict['differences'][number];

/** Changed by both sides, differently. */
export function isOfBoth({ base, yours, theirs }: Difference): boolean {
  return !isSame(base, yours) && !isSame(base, theirs);
}

function isSame(first: unknown, second: unknown): boolean {
  return JSON.stringify(first ?? null) === JSON.stringify(second ?? null);
}

/** The other side's settings with the fields that only this side changed, and this side's choices. */
export function mergedDraft(
  { current, differences }: SettingsConflict,
  isChosen: (path: string) => boolean = () => false,
): SettingsDraft {
  const mine = differences.filter((each) => (isOfBoth(each) ? isChosen(each.path) : !isSame(each.base, each.yours)));
  return mine.reduce((draft, { path, yours }) => withField(draft, path, yours), draftOf(current));
}

export function isSameDraft(first: SettingsDraft, second: SettingsDraft): boolean {
  const comparable = ({ texts, images, taxRates, dropOffSites }: SettingsDraft) => {
    const kept = Object.entries(images).filter(([, address]) => address !== '');
    return JSON.stringify([texts, kept.toSorted(([a], [b]) => (a < b ? -1 : 1)), taxRates, dropOffSites]);
  };
  return comparable(first) === comparable(second);
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
