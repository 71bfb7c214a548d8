import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { AuthenticationResponseJSON, RegistrationResponseJSON, WebAuthnCredential } from '@simplewebauthn/server';
import { isTrue, type Sql } from '../../../core/database/database.ts';
import { inTime } from '../../../core/database/repeat-while-away.ts';
import type { Logger } from '../../../core/runtime/logger.ts';
import { tokenHash } from '../tokens.ts';
import type { RelyingParty } from './relying-party.ts';

export type PasskeyWorld = {
  readonly sql: Sql;
  readonly log: Logger;
  readonly now: () => Date;
  readonly party: RelyingParty;
  /** All processes need the same secret. */
  readonly secret: string;
};

export type ChallengePurpose = 'sign-in' | 'confirm' | 'add';

export type Holder =
  | { readonly kind: 'browser'; readonly token: string }
  | { readonly kind: 'session'; readonly id: string };

export type Challenged = { readonly holder: Holder; readonly purpose: ChallengePurpose };

// Loading the library takes as long as starting the rest of the back office.
const library = () => import('@simplewebauthn/server');

/** EdDSA, ES256 and RS256: every authenticator has one of them, and Node checks them without warnings. */
const supportedAlgorithmIDs = [-8, -7, -257];

const challengeBytes = 32;
/** The challenge is valid as long. */
const timeout = 5 * 60_000;

/** The options for `navigator.credentials.get`: any passkey of this host. */
export async function requestOptions(world: PasskeyWorld, challenged: Challenged) {
  const { sql, party } = world;
  const { generateAuthenticationOptions } = await library();
  const { holder } = challenged;
  const challenge = holder.kind === 'browser' ? sealedChallenge(world, holder) : await keepChallenge(sql, challenged);
  // Empty, so that the list does not reveal which accounts have passkeys.
  return await generateAuthenticationOptions({ rpID: party.id, challenge, timeout, userVerification: 'required' });
}

export type NewPasskeyUser = { readonly username: string; readonly displayName: string; readonly businessName: string };

export async function creationOptions(
  { sql, party }: PasskeyWorld,
  challenged: Challenged,
  { username, displayName, businessName }: NewPasskeyUser,
) {
  const { generateRegistrationOptions } = await library();
  const [user] = await sql<{ handle: Uint8Array }[]>`select admin.passkey_handle(${username}) as handle`;
  const known = await sql<{ credential_id: Uint8Array; transports: string }[]>`
    select credential_id, transports from admin.passkeys_to_exclude(${username})`;
  return await generateRegistrationOptions({
    rpName: businessName,
    rpID: party.id,
    userName: username,
    userDisplayName: displayName,
    userID: Uint8Array.from(user?.handle ?? []),
    challenge: await keepChallenge(sql, challenged),
    timeout,
    attestationType: 'none',
    supportedAlgorithmIDs,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: known.map((passkey) => ({
      id: Buffer.from(passkey.credential_id).toString('base64url'),
      transports: passkey.transports.split(',').filter((transport) => transport !== ''),
    })),
  });
}

/** @returns the new passkey; undefined when the answer does not prove one. */
export async function verifyCreation(
  world: PasskeyWorld,
  challenged: Challenged,
  response: RegistrationResponseJSON,
): Promise<WebAuthnCredential | undefined> {
  const { verifyRegistrationResponse } = await library();
  const expected = await expectationOf(world, challenged, response.response.clientDataJSON);
  if (expected === undefined) return undefined;
  return await unlessRefused(world, async () => {
    const { registrationInfo } = await verifyRegistrationResponse({ ...expected, response, supportedAlgorithmIDs });
    return registrationInfo?.credential;
  });
}

/** @returns the account of the passkey; undefined when the answer does not prove one. */
export async function verifyRequest(
  world: PasskeyWorld,
  challenged: Challenged,
  response: AuthenticationResponseJSON,
): Promise<string | undefined> {
  const { verifyAuthenticationResponse } = await library();
  const { sql, log } = world;
  const expected = await expectationOf(world, challenged, response.response.clientDataJSON);
  if (expected === undefined) return undefined;
  const credentialId = Buffer.from(response.id, 'base64url');
  const [passkey] = await sql<{ username: string; public_key: Uint8Array; sign_count: number }[]>`
    select username, public_key, sign_count from admin.find_passkey(${credentialId})`;
  if (passkey === undefined || !(await isOf(sql, passkey.username, response.response.userHandle))) return undefined;
  const credential = {
    id: response.id,
    publicKey: Uint8Array.from(passkey.public_key),
    counter: passkey.sign_count,
  };
  const proven = await unlessRefused(world, async () => {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({ ...expected, response, credential });
    return verified ? authenticationInfo : undefined;
  });
  if (proven === undefined) return undefined;
  if (challenged.holder.kind === 'browser' && !(await spendChallenge(sql, challenged.holder, expected)))
    return undefined;
  if (await inTime(isTrue(sql`select admin.use_passkey(${credentialId}, ${proven.newCounter})`)))
    return passkey.username;
  // Another request with the same passkey was faster, with a counter that is not lower.
  log.warn('the counter of a passkey did not grow');
  return undefined;
}

/** Authenticators without accounts name nobody. */
async function isOf(sql: Sql, username: string, userHandle: string | undefined): Promise<boolean> {
  if (userHandle === undefined) return true;
  const [user] = await inTime(sql<{ handle: Uint8Array }[]>`select admin.passkey_handle(${username}) as handle`);
  return user !== undefined && Buffer.from(userHandle, 'base64url').equals(user.handle);
}

async function keepChallenge(sql: Sql, { holder, purpose }: Challenged): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = Uint8Array.from(randomBytes(challengeBytes));
  await inTime(sql`select admin.keep_challenge(${challenge}, ${hashOf(holder)}, ${purpose})`.execute());
  return challenge;
}

/**
 * A challenge of a sign-in is sealed instead of stored: its end (4 bytes, seconds), 12 random bytes, and 16 bytes of a
 * keyed hash over both and the browser. So asking for one costs nothing, and needs no limit.
 */
function sealedChallenge({ now, secret }: PasskeyWorld, holder: Holder): Uint8Array<ArrayBuffer> {
  const open = Buffer.alloc(16);
  open.writeUInt32BE(Math.floor((now().getTime() + timeout) / 1000));
  randomBytes(12).copy(open, 4);
  return Uint8Array.from(Buffer.concat([open, sealOf(open, holder, secret)]));
}

function sealOf(open: Uint8Array, holder: Holder, secret: string): Buffer {
  const keyed = createHmac('sha256', secret).update('passkey challenge ').update(hashOf(holder)).update(open);
  return keyed.digest().subarray(0, 16);
}

function isSealed({ now, secret }: PasskeyWorld, holder: Holder, challenge: Buffer): boolean {
  if (challenge.length !== challengeBytes) return false;
  const open = challenge.subarray(0, 16);
  if (!timingSafeEqual(challenge.subarray(16), sealOf(open, holder, secret))) return false;
  return open.readUInt32BE() * 1000 > now().getTime();
}

/** @returns false when it was used before. */
async function spendChallenge(sql: Sql, holder: Holder, { expectedChallenge }: { readonly expectedChallenge: string }) {
  const challenge = Buffer.from(expectedChallenge, 'base64url');
  return await inTime(isTrue(sql`select admin.spend_challenge(${challenge}, ${hashOf(holder)})`));
}

async function useChallenge(sql: Sql, { holder, purpose }: Challenged, challenge: Buffer): Promise<boolean> {
  return await inTime(isTrue(sql`select admin.use_challenge(${challenge}, ${hashOf(holder)}, ${purpose})`));
}

/**
 * A stored challenge is used up now, a sealed one after the passkey was proven.
 * @returns undefined when it is not valid here and now.
 */
async function expectationOf(world: PasskeyWorld, challenged: Challenged, clientData: string) {
  const { sql, party } = world;
  const challenge = challengeIn(clientData);
  if (challenge === undefined) return undefined;
  const bytes = Buffer.from(challenge, 'base64url');
  const { holder } = challenged;
  const isValid =
    holder.kind === 'browser' ? isSealed(world, holder, bytes) : await useChallenge(sql, challenged, bytes);
  if (!isValid) return undefined;
  return {
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
  };
}

function challengeIn(clientData: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(clientData, 'base64url').toString());
    if (typeof parsed !== 'object' || parsed === null || !('challenge' in parsed)) return undefined;
    return typeof parsed.challenge === 'string' ? parsed.challenge : undefined;
  } catch {
    return undefined;
  }
}

function hashOf(holder: Holder): Buffer {
  // A token's hash is null only for text that is no token, which then holds nothing.
  if (holder.kind === 'browser') return tokenHash(holder.token) ?? randomBytes(32);
  return createHash('sha256').update(`session ${holder.id}`).digest();
}

/** The library throws for everything that is wrong with an answer. */
async function unlessRefused<Proven>(
  { log }: PasskeyWorld,
  verify: () => Promise<Proven>,
): Promise<Proven | undefined> {
  try {
    return await verify();
  } catch (error) {
    log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'a passkey was refused');
    return undefined;
  }
}
