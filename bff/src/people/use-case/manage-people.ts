import { contactFieldError } from '@kilim/domain/contact';
import type { Role } from '@kilim/domain/people/permissions';
import { ok, type Result, rejected } from '@kilim/domain/result';
import { isTrue } from '../../core/database/database.ts';
import type { HandleWorld } from '../../core/ledger/handle.ts';
import { setEmail } from '../sign-in/emails.ts';
import { type IssuedLink, makeLink } from '../sign-in/people.ts';
import { type Commanded, changingAccount } from './record-admin-events.ts';

export type PeopleRejection =
  | { readonly code: 'NameTaken' }
  | { readonly code: 'NoSuchAccount' }
  | { readonly code: 'AccountDisabled' }
  | { readonly code: 'LastOwner' };

export type Invite = {
  readonly username: string;
  readonly displayName: string;
  readonly role: Role;
  readonly email?: string | undefined;
};

/** The account has no password, and the link chooses one. */
export async function invitePerson(
  world: HandleWorld,
  { username, displayName, role, email }: Invite,
  commanded: Commanded,
): Promise<Result<IssuedLink, PeopleRejection>> {
  return await changingAccount(world, { username, ...commanded }, async (transaction, record) => {
    const isMade = await isTrue(transaction`select admin.invite(${username}, ${displayName}, ${role})`);
    if (!isMade) return rejected({ code: 'NameTaken' });
    const link = await makeLink(transaction, username, commanded.actor);
    if (link === undefined) throw new Error('A new account has no link');
    const isEmail = contactFieldError('email', username) === undefined;
    await setEmail(transaction, username, email ?? (isEmail ? username : undefined));
    await record({ type: 'AccountInvited', username, role });
    return ok(link);
  });
}

/** For an invited person the same invitation, for an active one a new password. */
export async function issueLink(
  world: HandleWorld,
  username: string,
  commanded: Commanded,
): Promise<Result<IssuedLink, PeopleRejection>> {
  return await changingAccount(world, { username, ...commanded }, async (transaction, record) => {
    const link = await makeLink(transaction, username, commanded.actor);
    if (link === undefined) {
      const [row] = await transaction`select from admin.list_names() where username = ${username}`;
      return rejected({ code: row === undefined ? 'NoSuchAccount' : 'AccountDisabled' });
    }
    await record({ type: 'PasswordLinkIssued', username, purpose: link.purpose });
    return ok(link);
  });
}

type Outcome = 'unknown' | 'unchanged' | 'last owner' | 'changed';

/** Sessions end, so that none keeps rights of the earlier role. */
export async function changeRole(
  world: HandleWorld,
  { username, role }: { readonly username: string; readonly role: Role },
  commanded: Commanded,
): Promise<Result<undefined, PeopleRejection>> {
  return await changingAccount(world, { username, ...commanded }, async (transaction, record) => {
    const [row] = await transaction<{ outcome: Outcome; earlier: Role; ended: number }[]>`
      select outcome, earlier, ended_sessions as ended from admin.set_role(${username}, ${role})`;
    if (row?.outcome === 'changed') {
      const { earlier: from, ended: endedSessions } = row;
      await record({ type: 'RoleChanged', username, from, to: role, endedSessions });
    }
    return resultOf(row?.outcome);
  });
}

/** Ends sessions and export tokens too. */
export async function disablePerson(
  world: HandleWorld,
  username: string,
  commanded: Commanded,
): Promise<Result<undefined, PeopleRejection>> {
  return await changingAccount(world, { username, ...commanded }, async (transaction, record) => {
    const [row] = await transaction<{ outcome: Outcome; ended: number; revoked: number }[]>`
      select outcome, ended_sessions as ended, revoked_tokens as revoked from admin.disable(${username})`;
    if (row?.outcome === 'changed') {
      const { ended: endedSessions, revoked: revokedTokens } = row;
      await record({ type: 'AccountDisabled', username, endedSessions, revokedTokens });
    }
    return resultOf(row?.outcome);
  });
}

/** With the earlier password and role. */
export async function enablePerson(
  world: HandleWorld,
  username: string,
  commanded: Commanded,
): Promise<Result<undefined, PeopleRejection>> {
  return await changingAccount(world, { username, ...commanded }, async (transaction, record) => {
    const [row] = await transaction<{ outcome: Outcome }[]>`select admin.enable(${username}) as outcome`;
    if (row?.outcome === 'changed') await record({ type: 'AccountEnabled', username });
    return resultOf(row?.outcome);
  });
}

/** A repetition changes nothing and succeeds. */
function resultOf(outcome: Outcome = 'unknown'): Result<undefined, PeopleRejection> {
  if (outcome === 'unknown') return rejected({ code: 'NoSuchAccount' });
  return outcome === 'last owner' ? rejected({ code: 'LastOwner' }) : ok(undefined);
}
