import type { AdminEvent } from '@kilim/domain/people/people';
import { ok, type Result, rejected } from '@kilim/domain/result';
import { repeatWhileAway } from '../../core/database/repeat-while-away.ts';
import type { SecurityNotes } from '../../core/http/proven.ts';
import { type WeakPassword, weaknessOf, whileAwaited } from '../sign-in/password-strength.ts';
import { hashPassword } from '../sign-in/passwords.ts';
import { findLink, type UsedLink, useLink } from '../sign-in/people.ts';
import { noteStolen } from '../sign-in/security-log.ts';
import type { PasswordWorld } from './change-password.ts';
import { changingAccount } from './record-admin-events.ts';

export type ChoosePassword = {
  readonly token: string;
  readonly password: string;
  /** Absent: the name stays as it is. */
  readonly displayName: string | undefined;
  readonly requestId: string;
  readonly security?: SecurityNotes | undefined;
};

export type ChoosePasswordRejection =
  | { readonly code: 'LinkInvalid' }
  | ({ readonly code: 'WeakPassword' } & WeakPassword);

/** Sets a password with the link of an invitation or of a reset. The link works once. */
export async function choosePassword(
  world: PasswordWorld,
  { token, password, displayName, requestId, security }: ChoosePassword,
): Promise<Result<UsedLink, ChoosePasswordRejection>> {
  const link = await repeatWhileAway(() => findLink(world.sql, token));
  if (link === undefined) return rejected({ code: 'LinkInvalid' });
  const ownWords = [link.username, link.displayName, ...world.ownWords()];
  const weakness = await whileAwaited(weaknessOf(password, ownWords, world.isStolen));
  await noteStolen(security, link.username, weakness);
  if (weakness !== undefined) return rejected({ code: 'WeakPassword', ...weakness });
  const passwordHash = await hashPassword(password);
  const { username } = link;
  const by = { username, actor: `admin:${username}`, requestId, security } as const;
  return await changingAccount(world, by, async (transaction, record) => {
    const used = await useLink(transaction, token, { passwordHash, displayName });
    if (used === undefined) return rejected({ code: 'LinkInvalid' });
    await record(eventOf(used));
    return ok(used);
  });
}

function eventOf({ username, purpose, endedSessions }: UsedLink): AdminEvent {
  return purpose === 'invitation'
    ? { type: 'AccountActivated', username }
    : { type: 'PasswordChanged', username, how: 'reset', endedSessions };
}
