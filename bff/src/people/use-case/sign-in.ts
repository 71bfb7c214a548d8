import { longestPassword } from '@kilim/domain/people/password';
import type { SecondFactorKind } from '@kilim/domain/people/second-factor';
import type { Sql } from '../../core/database/database.ts';
import { inTime, repeatWhileAway } from '../../core/database/repeat-while-away.ts';
import type { ProvenSession, SecurityNotes } from '../../core/http/proven.ts';
import { findAccount, renewHash } from '../sign-in/accounts.ts';
import { findKnownBrowser, rememberBrowser } from '../sign-in/known-browsers.ts';
import { isPassword } from '../sign-in/passwords.ts';
import { type CodeWorld, checkCode } from '../sign-in/second-factor/check-code.ts';
import { factorKinds, keepSignIn } from '../sign-in/second-factor/factors.ts';
import { type IssuedSession, renewSession, type SignedInFrom, startSession } from '../sign-in/sessions.ts';
import type { Attempting, SignInThrottle, Trusted } from '../sign-in/sign-in-throttle.ts';

export type SignInWorld = {
  readonly sql: Sql;
  readonly throttle: SignInThrottle;
  readonly codes: CodeWorld;
};

export type SignIn = SignedInFrom & {
  /** An IPv4 address, or the /64 of an IPv6 address; counts attempts. */
  readonly subscriber: string;
  readonly username: string;
  readonly password: string;
  readonly sessionToken: string | undefined;
  readonly browserToken: string | undefined;
  readonly security: SecurityNotes;
};

export type SignedIn =
  | { readonly kind: 'signed-in'; readonly issued: IssuedSession; readonly browserToken: string }
  /** The session starts with the second factor: see second-step.ts. */
  | { readonly kind: 'half-way'; readonly pendingToken: string; readonly factors: readonly SecondFactorKind[] }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'wait'; readonly seconds: number };

/** A wrong name and a wrong password get the same answer after the same time. */
export async function signIn(world: SignInWorld, request: SignIn): Promise<SignedIn> {
  const { sql } = world;
  const { username, subscriber, security } = request;
  const trusted = await repeatWhileAway(() => findKnownBrowser(sql, username, request.browserToken));
  const checked = await checkPassword(world, { subscriber, username, trusted }, request.password);
  if (checked.kind === 'wait')
    await security.note({ kind: 'sign-in-throttled', username: named(username), seconds: checked.seconds });
  if (checked.kind === 'wrong') await security.note({ kind: 'sign-in-failed', username: named(username) });
  if (checked.kind !== 'right') return checked;
  const factors = await repeatWhileAway(() => factorKinds(sql, checked.username));
  if (factors.length > 0) {
    return { kind: 'half-way', factors, pendingToken: await inTime(keepSignIn(sql, checked.username)) };
  }
  const issued = await inTime(startSession(sql, checked.username, { ...request, replacing: request.sessionToken }));
  if (issued === undefined) return { kind: 'wrong' };
  const browserToken = await inTime(rememberBrowser(sql, checked.username, request.browserToken));
  await security.note({
    kind: 'signed-in',
    username: checked.username,
    method: 'password',
    newBrowser: trusted === undefined,
  });
  return { kind: 'signed-in', issued, browserToken };
}

export type Reauthenticate = Pick<SignIn, 'subscriber' | 'password' | 'security'> & { readonly code: string };

export type Reauthenticated =
  | { readonly kind: 'signed-in'; readonly issued: IssuedSession }
  | { readonly kind: 'wrong' | 'wrong-code' | 'code-needed' }
  | { readonly kind: 'wait'; readonly seconds: number };

/** Throttled like signing in, because a borrowed browser could guess here, but by a count of the session. */
export async function reauthenticate(
  world: SignInWorld,
  session: ProvenSession,
  { subscriber, password, code, security }: Reauthenticate,
): Promise<Reauthenticated> {
  const { username } = session;
  const trusted: Trusted = { kind: 'session', id: session.id };
  const checked = await checkPassword(world, { subscriber, username, trusted }, password);
  if (checked.kind === 'wait') await security.note({ kind: 'sign-in-throttled', username, seconds: checked.seconds });
  if (checked.kind === 'wrong') await security.note({ kind: 'proof-failed', username });
  if (checked.kind !== 'right') return checked;
  if (session.hasSecondFactor && code !== '') {
    const given = await checkCode(world.codes, { username, code, trusted, step: 'proof', security });
    if (given.kind !== 'right') return given.kind === 'wrong' ? { kind: 'wrong-code' } : given;
    const renewed = await inTime(renewSession(world.sql, session, { withPassword: true }));
    if (renewed === undefined) return { kind: 'wrong' };
    await security.note({ kind: 'proof-given', username, method: 'password-and-code' });
    return { kind: 'signed-in', issued: renewed };
  }
  // The password alone is enough as long as the second factor was given within ten minutes.
  if (session.hasSecondFactor && !session.isRecent) return { kind: 'code-needed' };
  const issued = await inTime(renewSession(world.sql, session));
  if (issued === undefined) return { kind: 'wrong' };
  await security.note({ kind: 'proof-given', username, method: 'password' });
  return { kind: 'signed-in', issued };
}

type Checked =
  | { readonly kind: 'right'; readonly username: string }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'wait'; readonly seconds: number };

async function checkPassword(
  { sql, throttle, codes }: SignInWorld,
  attempting: Attempting,
  password: string,
): Promise<Checked> {
  const seconds = await inTime(throttle.attempt(attempting));
  if (seconds > 0) return { kind: 'wait', seconds };
  const account = await repeatWhileAway(() => findAccount(sql, attempting.username));
  // No password is this long, and hashing a megabyte costs more than hashing a password.
  const turn = attempting.trusted === undefined ? 'stranger' : 'trusted';
  const isRight = password.length <= longestPassword * 2 && (await isPassword(password, account?.passwordHash, turn));
  if (!isRight || account === undefined) return { kind: 'wrong' };
  await inTime(throttle.succeeded(attempting));
  await inTime(renewHash({ sql, now: codes.now }, account, password));
  return { kind: 'right', username: account.username };
}

function named(typed: string): string {
  return typed.trim().toLowerCase();
}
