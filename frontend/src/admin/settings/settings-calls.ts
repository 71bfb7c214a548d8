import {
  type AdminSettingsAnswer,
  adminSettings,
  type SettingsConflictAnswer,
  settingsConflict,
  settingsHistory,
} from '@kilim/bff/contract/settings';
import * as z from 'zod/mini';
import type { ApiFailure } from '../../shared/api-client.ts';
import { adminQuery } from '../api/admin-query.ts';
import { adminRequest, isSignedOut, messageOf, needsPassword } from '../api/admin-request.ts';
import { settingsTexts } from './texts.ts';

/** The settings on the wire: the form edits them as text, and saves them whole with the fields that it does not know. */
export type AdminSettings = AdminSettingsAnswer;
const settingsSchema = z.custom<AdminSettings>((value) => adminSettings.safeParse(value).success);

const conflictSchema = z.custom<SettingsConflictAnswer>((value) => settingsConflict.safeParse(value).success);
export type SettingsConflict = SettingsConflictAnswer;

const settingsKey = ['admin', 'settings'] as const;

/** Null when the server has none. */
export const settingsQuery = adminQuery(settingsKey, {
  path: '/api/admin/settings',
  schema: z.nullable(settingsSchema),
});

export const historyQuery = adminQuery([...settingsKey, 'history'], {
  path: '/api/admin/settings/history',
  schema: settingsHistory,
});

export type SaveOutcome =
  | { readonly kind: 'saved'; readonly settings: AdminSettings }
  | { readonly kind: 'conflict'; readonly conflict: SettingsConflict }
  | { readonly kind: 'password-needed' }
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'failed'; readonly fields: Readonly<Record<string, string>>; readonly message: string };

/** Saves the whole object over the version that was read. Saving it twice changes nothing, so a lost answer is harmless. */
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
