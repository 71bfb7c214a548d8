import { linkedAccount, ownEmail, passwordChosen, passwordLink, people, personNames } from '@kilim/bff/contract/people';
import { weakPassword } from '@kilim/bff/contract/session';
import type { Role } from '@kilim/domain/admin/permissions';
import { useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { request } from '../../shared/api-client.ts';
import { adminQuery } from '../api/admin-query.ts';
import { messageOf } from '../api/admin-request.ts';
import { outcomeOf } from '../api/outcome.ts';
import { peopleTexts } from './texts.ts';

export const peopleQuery = adminQuery(['admin', 'people'], { path: '/api/admin/people', schema: people });

export const personNamesQuery = adminQuery(['admin', 'people', 'names'], {
  path: '/api/admin/people/names',
  schema: personNames,
});

/** The display name of a person. Other actors, such as `Customer`, and unknown people stay as they are. */
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
  return outcomeOf({ path: '/api/admin/people', schema: passwordLink, body: invitation });
}

const pathOf = (username: string, what: string) => `/api/admin/people/${encodeURIComponent(username)}/${what}`;

export function makeLink(username: string) {
  return outcomeOf({ path: pathOf(username, 'link'), schema: passwordLink, body: {} });
}

export function setRole(username: string, role: Role) {
  return outcomeOf({ path: pathOf(username, 'role'), schema: z.unknown(), body: { role } });
}

export function disable(username: string) {
  return outcomeOf({ path: pathOf(username, 'disable'), schema: z.unknown(), body: {} });
}

export function resetSecondFactor(username: string) {
  return outcomeOf({ path: pathOf(username, 'reset-second-factor'), schema: z.unknown(), body: {} });
}

export function enable(username: string) {
  return outcomeOf({ path: pathOf(username, 'enable'), schema: z.unknown(), body: {} });
}

export function changeOwnName(displayName: string) {
  return outcomeOf({ path: '/api/admin/account/name', schema: z.unknown(), body: { displayName } });
}

export const ownEmailQuery = adminQuery(['admin', 'account', 'email'], {
  path: '/api/admin/account/email',
  schema: ownEmail,
});

/** @param email null removes it */
export function changeOwnEmail(email: string | null) {
  return outcomeOf({ path: '/api/admin/account/email', schema: z.unknown(), body: { email } });
}

/** The address of a link. Browsers send nothing after `#`, so the token reaches no log. */
export function linkAddress(token: string): string {
  return `${window.location.origin}/admin/invitation#${token}`;
}

export function findLinkedAccount(token: string) {
  return request({ path: '/api/admin/password-link', schema: linkedAccount, body: { token } });
}

export type Choice = { readonly token: string; readonly password: string; readonly displayName?: string };

export type Chosen =
  | { readonly kind: 'chosen' }
  | { readonly kind: 'failed'; readonly message: string; readonly suggestions: readonly string[] };

/** Sets the password with a link. */
export async function choosePassword(choice: Choice): Promise<Chosen> {
  const answer = await request({ path: '/api/admin/password-link/use', schema: passwordChosen, body: choice });
  if (answer.ok) return { kind: 'chosen' };
  const failure = answer.rejection;
  const weak = weakPassword.safeParse(failure.kind === 'refused' ? failure.body : undefined);
  const fields = failure.kind === 'refused' ? Object.values(failure.fields) : [];
  const message = fields[0] ?? messageOf(failure, peopleTexts.failed);
  return { kind: 'failed', message, suggestions: weak.success ? weak.data.suggestions : [] };
}
