import { longestPassword } from '@kilim/domain/admin/password';
import type { SecondFactorKind } from '@kilim/domain/admin/second-factor';
import type { Sql } from '../database/database.ts';
import { inTime, repeatWhileAway } from '../database/repeat-while-away.ts';
import type { Logger } from '../server/logger.ts';
import { findAccount } from '../sign-in/accounts.ts';
import { findKnownBrowser, rememberBrowser } from '../sign-in/known-browsers.ts';
import { isPassword } from '../sign-in/passwords.ts';
import { type CodeWorld, checkCode } from '../sign-in/second-factor/check-code.ts';
import { factorKinds, keepSignIn } from '../sign-in/second-factor/factors.ts';
import {
  type IssuedSession,
  type ProvenSession,
  renewSession,
  type SignedInFrom,
  startSession,
} from '../sign-in/sessions.ts';
import type { Attempting, SignInThrottle } from '../sign-in/sign-in-throttle.ts';
import { renewWithFactor } from './second-step.ts';

export type SignInWorld = {
  readonly sql: Sql;
  readonly log: Logger;
  readonly throttle: SignInThrottle;
  readonly codes: CodeWorld;
};

export type SignIn = SignedInFrom & {
  readonly username: string;
  readonly password: string;
  /** The tokens in the browser's cookies. */
  readonly sessionToken: string | undefined;
  readonly browserToken: string | undefined;
  readonly requestId: string;
};

export type SignedIn =
  | { readonly kind: 'signed-in'; readonly issued: IssuedSession; readonly browserToken: string }
  /** The password was right. The session starts with the second factor: see second-step.ts. */
  | { readonly kind: 'half-way'; readonly pendingToken: string; readonly factors: readonly SecondFactorKind[] }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'wait'; readonly seconds: number };

/**
 * Starts a session for the right name and password, unless the account has a second factor. A
 * wrong name and a wrong password get the same answer after the same time.
 */
export async function signIn(world: SignInWorld, request: SignIn): Promise<SignedIn> {
  const { sql, log } = world;
  const { username, requestId } = request;
  const attempting: Attempting = {
    address: request.address,
    username,
    knownBrowser: await repeatWhileAway(() => findKnownBrowser(sql, username, request.browserToken)),
  };
  const checked = await checkPassword(world, attempting, request);
  if (checked.kind !== 'right') return checked;
  const factors = await repeatWhileAway(() => factorKinds(sql, checked.username));
  if (factors.length > 0) {
    return { kind: 'half-way', factors, pendingToken: await inTime(keepSignIn(sql, checked.username)) };
  }
  const issued = await inTime(startSession(sql, checked.username, { ...request, replacing: request.sessionToken }));
  if (issued === undefined) return { kind: 'wrong' };
  const browserToken = await inTime(rememberBrowser(sql, checked.username, request.browserToken));
  log.info({ requestId }, 'an administrator signed in');
  return { kind: 'signed-in', issued, browserToken };
}

export type Reauthenticated =
  | { readonly kind: 'signed-in'; readonly issued: IssuedSession }
  | { readonly kind: 'wrong' | 'wrong-code' | 'code-needed' }
  | { readonly kind: 'wait'; readonly seconds: number };

/**
 * Checks the password again, within a session, and the code if the second factor was given too long
 * ago. It is throttled like signing in: a borrowed browser could guess here.
 */
export async function reauthenticate(
  world: SignInWorld,
  session: ProvenSession,
  request: Omit<SignIn, 'username'> & { readonly code: string },
): Promise<Reauthenticated> {
  const { username } = session;
  const attempting: Attempting = {
    address: request.address,
    username,
    knownBrowser: await repeatWhileAway(() => findKnownBrowser(world.sql, username, request.browserToken)),
  };
  const checked = await checkPassword(world, attempting, request);
  if (checked.kind !== 'right') return checked;
  const { code, requestId } = request;
  if (session.hasSecondFactor && code !== '') {
    const { knownBrowser } = attempting;
    const given = await checkCode(world.codes, { username, code, knownBrowser, requestId });
    if (given.kind !== 'right') return given.kind === 'wrong' ? { kind: 'wrong-code' } : given;
    const renewed = await renewWithFactor(world, session, { withPassword: true });
    return renewed === undefined ? { kind: 'wrong' } : { kind: 'signed-in', issued: renewed };
  }
  // The password alone is enough as long as the second factor was given within ten minutes.
  if (session.hasSecondFactor && !session.isRecent) return { kind: 'code-needed' };
  const issued = await inTime(renewSession(world.sql, session));
  return issued === undefined ? { kind: 'wrong' } : { kind: 'signed-in', issued };
}

type Checked =
  | { readonly kind: 'right'; readonly username: string }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'wait'; readonly seconds: number };

async function checkPassword(
  { sql, log, throttle }: SignInWorld,
  attempting: Attempting,
  { password, requestId }: Pick<SignIn, 'password' | 'requestId'>,
): Promise<Checked> {
  const seconds = await inTime(throttle.attempt(attempting));
  if (seconds > 0) {
    log.warn({ requestId, seconds }, 'an attempt to sign in was throttled');
    return { kind: 'wait', seconds };
  }
  const account = await repeatWhileAway(() => findAccount(sql, attempting.username));
  // No password is this long, and hashing a megabyte costs more than hashing a password.
  const isRight = password.length <= longestPassword * 2 && (await isPassword(password, account?.passwordHash));
  if (!isRight || account === undefined) {
    log.warn({ requestId }, 'an attempt to sign in failed');
    return { kind: 'wrong' };
  }
  await inTime(throttle.succeeded(attempting));
  return { kind: 'right', username: account.username };
}
