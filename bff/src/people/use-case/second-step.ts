import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { inTime, repeatWhileAway } from '../../core/database/repeat-while-away.ts';
import type { ProvenSession, SecurityNotes } from '../../core/http/proven.ts';
import { findKnownBrowser, rememberBrowser } from '../sign-in/known-browsers.ts';
import { type CodeWorld, checkCode } from '../sign-in/second-factor/check-code.ts';
import { endPendingSignIn, pendingSignInOf } from '../sign-in/second-factor/factors.ts';
import { type Challenged, type PasskeyWorld, verifyRequest } from '../sign-in/second-factor/passkeys.ts';
import { type IssuedSession, renewSession, type SignedInFrom, startSession } from '../sign-in/sessions.ts';

export type SigningIn = SignedInFrom & {
  readonly sessionToken: string | undefined;
  readonly browserToken: string | undefined;
  readonly pendingToken: string | undefined;
  readonly security: SecurityNotes;
};

export type SteppedIn =
  | { readonly kind: 'signed-in'; readonly issued: IssuedSession; readonly browserToken: string }
  | { readonly kind: 'wrong' }
  /** The password was given too long ago, or in another browser. */
  | { readonly kind: 'not-pending' }
  | { readonly kind: 'wait'; readonly seconds: number };

/** The second step after the right password: a one-time code or a recovery code. */
export async function giveCode(world: CodeWorld, signingIn: SigningIn, code: string): Promise<SteppedIn> {
  const { sql } = world;
  const { pendingToken, browserToken, security } = signingIn;
  const username = await repeatWhileAway(() => pendingSignInOf(sql, pendingToken));
  if (username === undefined) return { kind: 'not-pending' };
  const trusted = await repeatWhileAway(() => findKnownBrowser(sql, username, browserToken));
  const checked = await checkCode(world, { username, code, trusted, step: 'sign-in', security });
  if (checked.kind !== 'right') return checked;
  if (!(await inTime(endPendingSignIn(sql, pendingToken)))) return { kind: 'not-pending' };
  return await completeSignIn(world, signingIn, { username, withPassword: true });
}

/** A passkey verifies its user, so it needs no password. */
export async function givePasskey(
  world: CodeWorld & PasskeyWorld,
  signingIn: SigningIn,
  response: AuthenticationResponseJSON,
): Promise<SteppedIn> {
  const { pendingToken } = signingIn;
  if (pendingToken === undefined) return { kind: 'not-pending' };
  const challenged: Challenged = { holder: { kind: 'browser', token: pendingToken }, purpose: 'sign-in' };
  const username = await verifyRequest(world, challenged, response);
  if (username === undefined) {
    await signingIn.security.note({ ...wrongPasskey, username: undefined, step: 'sign-in' });
    return { kind: 'wrong' };
  }
  await inTime(endPendingSignIn(world.sql, pendingToken));
  return await completeSignIn(world, signingIn, { username, withPassword: false });
}

const wrongPasskey = { kind: 'second-factor-failed', factor: 'passkey', throttled: false } as const;

type Stepped = { readonly username: string; readonly withPassword: boolean };

async function completeSignIn(
  { sql }: CodeWorld,
  signingIn: SigningIn,
  { username, withPassword }: Stepped,
): Promise<SteppedIn> {
  const starting = { ...signingIn, replacing: signingIn.sessionToken, factor: { withPassword } };
  const issued = await inTime(startSession(sql, username, starting));
  // The account has just been disabled, or the session has already ended.
  if (issued === undefined) return { kind: 'wrong' };
  const known = await repeatWhileAway(() => findKnownBrowser(sql, username, signingIn.browserToken));
  const browserToken = await inTime(rememberBrowser(sql, username, signingIn.browserToken));
  const method = withPassword ? 'password-and-code' : 'passkey';
  await signingIn.security.note({ kind: 'signed-in', username, method, newBrowser: known === undefined });
  return { kind: 'signed-in', issued, browserToken };
}

/** @returns undefined when the passkey is wrong, or belongs to another account. */
export async function confirmWithPasskey(
  world: PasskeyWorld,
  session: ProvenSession,
  { response, security }: { readonly response: AuthenticationResponseJSON; readonly security: SecurityNotes },
): Promise<IssuedSession | undefined> {
  const challenged: Challenged = { holder: { kind: 'session', id: session.id }, purpose: 'confirm' };
  const username = await verifyRequest(world, challenged, response);
  if (username !== session.username) {
    await security.note({ ...wrongPasskey, username: session.username, step: 'proof' });
    return undefined;
  }
  const renewed = await inTime(renewSession(world.sql, session, { withPassword: false }));
  if (renewed !== undefined) await security.note({ kind: 'proof-given', username, method: 'passkey' });
  return renewed;
}
