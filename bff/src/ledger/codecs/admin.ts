import type { PasswordChanged } from '@kilim/domain/admin/password';
import type { SettingsChanged } from '@kilim/domain/settings/settings';
import { z } from 'zod';
import { canonicalJson, type EncodedEvent, type StoredEvent } from './order.ts';

/** The canonical text of an event that is not an order's. */
export function encodeAdminEvent(event: SettingsChanged | PasswordChanged): EncodedEvent {
  const { type, ...payload } = event;
  return { type, schemaVersion: 1, payload: canonicalJson(payload), amountCents: null, refundId: null };
}

const passwordChanged = z.object({
  username: z.string(),
  how: z.enum(['changed', 'reset']),
  endedSessions: z.int(),
}) satisfies z.ZodType<Omit<PasswordChanged, 'type'>>;

/** @throws when it is not one that this program knows. */
export function decodePasswordChanged({ type, schemaVersion, payload }: StoredEvent): PasswordChanged {
  if (type !== 'PasswordChanged' || schemaVersion !== 1) {
    throw new Error(`The ledger holds ${type} in version ${schemaVersion}, which this program does not know`);
  }
  return { type, ...passwordChanged.parse(JSON.parse(payload)) };
}
