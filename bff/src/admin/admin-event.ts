import type { PasswordChanged } from '@kilim/domain/admin/password';
import type { SettingsChanged } from '@kilim/domain/settings/settings';
import { canonicalJson, type EncodedEvent } from '../ledger/stored-event.ts';

/** The canonical text of an event that is not an order's. */
export function encodeAdminEvent(event: SettingsChanged | PasswordChanged): EncodedEvent {
  const { type, ...payload } = event;
  return { type, schemaVersion: 1, payload: canonicalJson(payload), amountCents: null, refundId: null };
}
