import { queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import type { ApiFailure } from '../../shared/api-client.ts';
import { adminLoad, adminRequest, isSignedOut, messageOf, needsPassword } from '../api/admin-request.ts';
import { settingsTexts } from './texts.ts';

const byTier = <Part extends z.ZodMiniType>(part: Part) => z.object({ premium: part, midrange: part, economy: part });
const words = byTier(z.string());

const textsByName = z.custom<Readonly<Record<string, string>>>(
  (value) =>
    typeof value === 'object' && value !== null && Object.values(value).every((text) => typeof text === 'string'),
);

const knownSettings = z.object({
  version: z.number(),
  tierPrices: byTier(z.number()),
  tierFeatures: byTier(z.array(z.string())),
  tierComparison: z.object({
    rows: z.object({
      washProcess: words,
      washingCoverage: words,
      waterSaturation: words,
      deDusting: words,
      tierPerks: words,
      specialBonuses: words,
    }),
    recommendations: words,
    experience: z.object({ title: z.string(), text: z.string() }),
  }),
  terms: z.string(),
  addOnImages: textsByName,
  business: z.object({
    name: z.string(),
    phone: z.string(),
    bookingUrl: z.string(),
    dropOffSites: z.array(z.object({ name: z.string(), note: z.string() })),
  }),
});

/** Settings are held and saved whole: they stay as they came, with the fields that this page does not know. */
export type AdminSettings = z.infer<typeof knownSettings>;
export const settingsSchema = z.custom<AdminSettings>((value) => knownSettings.safeParse(value).success);

export const conflictSchema = z.object({
  code: z.literal('SettingsChanged'),
  current: settingsSchema,
  changedBy: z.nullable(z.string()),
  changedAt: z.nullable(z.string()),
  differences: z.array(
    z.object({ path: z.string(), name: z.string(), base: z.unknown(), yours: z.unknown(), theirs: z.unknown() }),
  ),
});
export type SettingsConflict = z.infer<typeof conflictSchema>;

const settingsKey = ['admin', 'settings'] as const;

/** Null when the server has none. */
export const settingsQuery = queryOptions({
  queryKey: settingsKey,
  queryFn: async ({ signal }) =>
    (await adminLoad({ path: '/api/admin/settings', schema: z.nullable(settingsSchema), signal })).body,
});

export const historySchema = z.array(
  z.object({ version: z.number(), at: z.string(), by: z.string(), changes: z.array(z.string()) }),
);

export const historyQuery = queryOptions({
  queryKey: [...settingsKey, 'history'],
  queryFn: async ({ signal }) =>
    (await adminLoad({ path: '/api/admin/settings/history', schema: historySchema, signal })).body,
});

export type SaveOutcome =
  | { readonly kind: 'saved'; readonly settings: AdminSettings }
  | { readonly kind: 'conflict'; readonly conflict: SettingsConflict }
  | { readonly kind: 'password-needed' }
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'failed'; readonly fields: Readonly<Record<string, string>>; readonly message: string };

/** Saves the whole object over the version that was read. Saving again what is saved changes nothing, so a lost answer is no harm. */
export async function saveSettings(settings: Readonly<Record<string, unknown>>, version: number): Promise<SaveOutcome> {
  const answer = await adminRequest({
    path: '/api/admin/settings',
    schema: settingsSchema,
    body: settings,
    headers: { 'If-Match': `"${version}"` },
  });
  if (answer.ok) return { kind: 'saved', settings: answer.value.body };
  return refusalOf(answer.rejection);
}

function refusalOf(failure: ApiFailure): SaveOutcome {
  if (isSignedOut(failure)) return { kind: 'signed-out' };
  if (needsPassword(failure)) return { kind: 'password-needed' };
  if (failure.kind === 'refused') {
    const conflict = conflictSchema.safeParse(failure.body);
    if (conflict.success) return { kind: 'conflict', conflict: conflict.data };
  }
  return {
    kind: 'failed',
    fields: failure.kind === 'refused' ? failure.fields : {},
    message: messageOf(failure, settingsTexts.failed.description),
  };
}
