import { ok, type Result, rejected } from '@kilim/domain/result';
import { settingsLimits as limits, type Settings } from '@kilim/domain/settings/settings';
import type * as z from 'zod/mini';
import type { settingsRequest } from '../../../../contract/settings-request.ts';
import { plainText } from '../../../../contract/text.ts';
import { canonicalJson } from '../../ledger/hash.ts';
import { cleanTerms } from './terms.ts';

type SettingsRequest = z.output<typeof settingsRequest>;

/** The settings that a save asks for: the fields that it names, over the current ones. */
export async function requestedSettings(
  { version: _, ...request }: SettingsRequest,
  current: Settings,
): Promise<Result<Settings, Readonly<Record<string, string>>>> {
  const {
    tierPrices = current.tierPrices,
    tierMinimums = current.tierMinimums,
    addOnPrices = current.addOnPrices,
    pickup = current.pickup,
    largestOrder = current.largestOrder,
    pickupPlan = current.pickupPlan,
    salesTax = current.salesTax,
    sizePresets = current.sizePresets,
    tierFeatures = current.tierFeatures,
    tierComparison = current.tierComparison,
    addOnImages = current.addOnImages,
    business = current.business,
    notices = current.notices,
    refundLimits = current.refundLimits,
    contactRetention = current.contactRetention,
    intake = current.intake,
    firstDay = current.firstDay,
    terms: text,
    ...unknown
  } = request;
  const more = { ...current.more };
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(unknown)) {
    const problem = problemOfUnknown(name, value);
    if (problem !== undefined) fields[name] = problem;
    else if (value === null) delete more[name];
    else more[name] = value;
  }
  const terms = text === undefined ? current.terms : await cleanTerms(plainText(text));
  // Measured after cleaning: markup that is dropped does not count.
  if (terms.length > limits.longestTerms) fields['terms'] = `At most ${limits.longestTerms} characters`;
  if (Object.keys(more).length > limits.mostUnknownFields)
    fields['body'] = `At most ${limits.mostUnknownFields} further fields`;
  const settings: Settings = {
    ...{ tierPrices, tierMinimums, addOnPrices, pickup, largestOrder, pickupPlan, salesTax, sizePresets },
    ...{ tierFeatures, tierComparison, terms, addOnImages, business, notices, refundLimits, contactRetention },
    ...{ intake, firstDay, more },
  };
  if (canonicalJson(settings).length > limits.largest) fields['body'] = 'The settings are too large';
  return Object.keys(fields).length > 0 ? rejected(fields) : ok(settings);
}

const deepest = 8;
/** Names with a meaning in JavaScript itself. */
const dangerous = new Set(['__proto__', 'constructor', 'prototype']);

function problemOfUnknown(name: string, value: unknown): string | undefined {
  if (!/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(name) || dangerous.has(name)) return 'This is not the name of a setting';
  return isHarmless(value, deepest) ? undefined : 'This is nested too deeply or has names that cannot be kept';
}

function isHarmless(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0) return false;
  return Object.entries(value).every(([key, part]) => !dangerous.has(key) && isHarmless(part, depth - 1));
}
