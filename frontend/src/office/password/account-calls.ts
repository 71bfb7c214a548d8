import { ownEmail } from '@kilim/bff/contract/people';
import { call } from '../../shared/call.ts';
import { adminQuery } from '../shared/api/admin-query.ts';
import { outcomeOf } from '../shared/api/outcome.ts';

export function changeOwnName(displayName: string) {
  return outcomeOf(call('POST /api/admin/account/name', { body: { displayName } }));
}

export const ownEmailQuery = adminQuery(
  ['admin', 'account', 'email'],
  call('GET /api/admin/account/email', { answer: ownEmail }),
);

/** @param email null removes it. */
export function changeOwnEmail(email: string | null) {
  return outcomeOf(call('POST /api/admin/account/email', { body: { email } }));
}
