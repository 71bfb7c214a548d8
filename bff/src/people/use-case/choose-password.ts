import type { AdminEvent } from '@kilim/domain/people/people';
import { ok, type Result, rejected } from '@kilim/domain/result';
import type { Sql } from '../../core/database/database.ts';
import { inTime, repeatWhileAway } from '../../core/database/repeat-while-away.ts';
import type { SecurityNotes } from '../../core/http/proven.ts';
import { type WeakPassword, weaknessOf, whileAwaited } from '../sign-in/password-strength.ts';
import { hashPassword } from '../sign-in/passwords.ts';
import { findLink, type UsedLink, useLink } from '../sign-in/people.ts';
import { recordingAccess } from '../sign-in/record-access.ts';
import { noteStolen } from '../sign-in/security-log.ts';
import type { IsStolen } from '../sign-in/stolen-passwords.ts';
import { recordAdminEvents } from './record-admin-events.ts';

export type ChoosePasswordWorld = {
  readonly sql: Sql;
  readonly now: () => Date;
  readonly ownWords: () => readonly string[];
  readonly isStolen?: IsStolen | undefined;
};

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
  { sql, now, ownWords, isStolen }: ChoosePasswordWorld,
  { token, password, displayName, requestId, security }: ChoosePassword,
): Promise<Result<UsedLink, ChoosePasswordRejection>> {
  const link = await repeatWhileAway(() => findLink(sql, token));
  if (link === undefined) return rejected({ code: 'LinkInvalid' });
  const weakness = await whileAwaited(weaknessOf(password, [link.username, link.displayName, ...ownWords()], isStolen));
  await noteStolen(security, link.username, weakness);
  if (weakness !== undefined) return rejected({ code: 'WeakPassword', ...weakness });
  const passwordHash = await hashPassword(password);
  const { username } = link;
  const by = { actor: `admin:${username}`, requestId, security } as const;
  const chosen = sql.begin((transaction) =>
    recordingAccess({ transaction, now }, { username, ...by }, async () => {
      const used = await useLink(transaction, token, { passwordHash, displayName });
      if (used === undefined) return undefined;
      await recordAdminEvents({ transaction, now }, [eventOf(used)], by);
      return used;
    }),
  );
  const used = await inTime(chosen);
  return used === undefined ? rejected({ code: 'LinkInvalid' }) : ok(used);
}

function eventOf({ username, purpose, endedSessions }: UsedLink): AdminEvent {
  return purpose === 'invitation'
    ? { type: 'AccountActivated', username }
    : { type: 'PasswordChanged', username, how: 'reset', endedSessions };
}
