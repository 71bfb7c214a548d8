import { linkedAccount, ownEmail, passwordChosen, passwordLink, people, personNames } from '@kilim/bff/contract/people';
import { weakPassword } from '@kilim/bff/contract/session';
import type { Role } from '@kilim/domain/admin/permissions';
import { useQuery } from '@tanstack/react-query';
import { request } from '../../shared/api-client.ts';
import { call } from '../../shared/call.ts';
import { adminQuery } from '../api/admin-query.ts';
import { messageOf } from '../api/admin-request.ts';
import { outcomeOf } from '../api/outcome.ts';
import { peopleTexts } from './texts.ts';

export const peopleQuery = adminQuery(['admin', 'people'], call('GET /api/admin/people', { answer: people }));

export const personNamesQuery = adminQuery(
  ['admin', 'people', 'names'],
  call('GET /api/admin/people/names', { answer: personNames }),
);

/** Other actors, such as `Customer`, and unknown people stay as they are. */
export function usePersonName(): (username: string) => string {
  const { data = [] } = useQuery({ ...personNamesQuery, staleTime: 60_000 });
  return (username) => data.find((person) => person.username === username)?.displayName ?? username;
}

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

/** Browsers send nothing after `#`, so the token reaches no log. */
export function linkAddress(token: string): string {
  return `${window.location.origin}/admin/invitation#${token}`;
}

export function findLinkedAccount(token: string) {
  return request(call('POST /api/admin/password-link', { body: { token }, answer: linkedAccount }));
}

export type Choice = { readonly token: string; readonly password: string; readonly displayName?: string };

export type Chosen =
  | { readonly kind: 'chosen' }
  | { readonly kind: 'failed'; readonly message: string; readonly suggestions: readonly string[] };

export async function choosePassword(choice: Choice): Promise<Chosen> {
  const answer = await request(call('POST /api/admin/password-link/use', { body: choice, answer: passwordChosen }));
  if (answer.ok) return { kind: 'chosen' };
  const failure = answer.rejection;
  const weak = weakPassword.safeParse(failure.kind === 'refused' ? failure.body : undefined);
  const fields = failure.kind === 'refused' ? Object.values(failure.fields) : [];
  const message = fields[0] ?? messageOf(failure, peopleTexts.failed);
  return { kind: 'failed', message, suggestions: weak.success ? weak.data.suggestions : [] };
}
