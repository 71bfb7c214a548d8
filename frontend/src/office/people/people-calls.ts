import { passwordLink, people } from '@kilim/bff/contract/people';
import type { Role } from '@kilim/domain/people/permissions';
import { call } from '../../shared/call.ts';
import { adminQuery } from '../shared/api/admin-query.ts';
import { outcomeOf } from '../shared/api/outcome.ts';
import { peopleKey } from '../shared/api/query-keys.ts';

export const peopleQuery = adminQuery(peopleKey, call('GET /api/admin/people', { answer: people }));

export type Invitation = {
  readonly username: string;
  readonly displayName: string;
  readonly role: Role;
  readonly email?: string;
};

export function invite(invitation: Invitation) {
  return outcomeOf(call('POST /api/admin/people', { body: invitation, answer: passwordLink }));
}

export function makeLink(username: string) {
  return outcomeOf(call('POST /api/admin/people/:username/link', { params: { username }, answer: passwordLink }));
}

export function setRole(username: string, role: Role) {
  return outcomeOf(call('POST /api/admin/people/:username/role', { params: { username }, body: { role } }));
}

export function disable(username: string) {
  return outcomeOf(call('POST /api/admin/people/:username/disable', { params: { username } }));
}

export function resetSecondFactor(username: string) {
  return outcomeOf(call('POST /api/admin/people/:username/reset-second-factor', { params: { username } }));
}

export function enable(username: string) {
  return outcomeOf(call('POST /api/admin/people/:username/enable', { params: { username } }));
}

/** Browsers send nothing after `#`, so the token reaches no log. */
export function linkAddress(token: string): string {
  return `${window.location.origin}/admin/invitation#${token}`;
}
