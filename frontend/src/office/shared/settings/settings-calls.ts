import {
  type AdminSettingsAnswer,
  adminSettings,
  type SettingsConflictAnswer,
  settingsConflict,
  settingsHistory,
} from '@kilim/bff/contract/settings';
import type { settingsRequest } from '@kilim/bff/contract/settings-request';
import * as z from 'zod/mini';
import { call } from '../../../shared/call.ts';
import { adminQuery } from '../api/admin-query.ts';
import { adminRequest } from '../api/admin-request.ts';
import { failureOf, type Outcome, outcomeOf } from '../api/outcome.ts';

/** The form edits them as text, and saves them whole, with unknown fields. */
export type AdminSettings = AdminSettingsAnswer;
const settingsSchema = z.custom<AdminSettings>((value) => adminSettings.safeParse(value).success);

const conflictSchema = z.custom<SettingsConflictAnswer>((value) => settingsConflict.safeParse(value).success);
export type SettingsConflict = SettingsConflictAnswer;

export const settingsKey = ['admin', 'settings'] as const;

/** Null when the server has none. */
export const settingsQuery = adminQuery(settingsKey, {
  ...call('GET /api/admin/settings', { answer: z.unknown() }),
  schema: z.nullable(settingsSchema),
});

export const historyQuery = adminQuery(
  [...settingsKey, 'history'],
  call('GET /api/admin/settings/history', { answer: settingsHistory }),
);

export type SettingsFields = Pick<z.input<typeof settingsRequest>, 'refundLimits' | 'contactRetention' | 'firstDay'>;

/** Another save since the read version is a failure. */
export function saveFields(fields: SettingsFields, version: number): Promise<Outcome<AdminSettings>> {
  return outcomeOf(saveRequest(fields, version));
}

export type Saved = { readonly settings: AdminSettings } | { readonly conflict: SettingsConflict };

/** Over the read version. A repeated save changes nothing, so a lost answer is harmless. */
export async function saveSettings(
  settings: Readonly<Record<string, unknown>>,
  version: number,
): Promise<Outcome<Saved>> {
  const answer = await adminRequest(saveRequest(settings, version));
  if (answer.ok) return { kind: 'done', value: { settings: answer.value.body } };
  const { rejection } = answer;
  const conflict = conflictSchema.safeParse(rejection.kind === 'refused' ? rejection.body : undefined);
  return conflict.success ? { kind: 'done', value: { conflict: conflict.data } } : failureOf(rejection);
}

function saveRequest(body: Readonly<Record<string, unknown>>, version: number) {
  const request = call('POST /api/admin/settings', { body, answer: z.unknown() });
  return { ...request, schema: settingsSchema, headers: { 'If-Match': `"${version}"` } };
}
