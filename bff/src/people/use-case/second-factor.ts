import type { SecondFactorEvent, SecondFactorKind } from '@kilim/domain/people/second-factor';
import { ok, type Result, rejected } from '@kilim/domain/result';
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { isTrue, type Sql, type Transaction } from '../../core/database/database.ts';
import { inTime } from '../../core/database/repeat-while-away.ts';
import type { ProvenSession } from '../../core/http/proven.ts';
import type { HandleWorld } from '../../core/ledger/handle.ts';
import { listFactors } from '../sign-in/second-factor/factors.ts';
import {
  base32Of,
  isOneTimeCode,
  matchingStep,
  newOneTimeSecret,
  oneTimeCodeAddress,
} from '../sign-in/second-factor/one-time-code.ts';
import { type PasskeyWorld, verifyCreation } from '../sign-in/second-factor/passkeys.ts';
import { makeRecoveryCodes } from '../sign-in/second-factor/recovery-codes.ts';
import type { Seal } from '../sign-in/second-factor/seal.ts';
import { type Commanded, changingAccount } from './record-admin-events.ts';

const mostPasskeys = 10;

export type Added = {
  /** The first factor comes with them. They are shown once. */
  readonly recoveryCodes: readonly string[] | undefined;
};

export type NewPasskey = {
  readonly name: string;
  readonly response: RegistrationResponseJSON;
  readonly by: Commanded;
};

export async function addPasskey(
  world: PasskeyWorld,
  session: ProvenSession,
  { name, response, by }: NewPasskey,
): Promise<Result<Added, 'NotProven' | 'TooMany'>> {
  const { username, id } = session;
  const challenged = { holder: { kind: 'session', id }, purpose: 'add' } as const;
  const passkey = await verifyCreation(world, challenged, response);
  if (passkey === undefined) return rejected('NotProven');
  const added = await addFactor(world, { username, kind: 'passkey', by }, (transaction) =>
    isTrue(transaction`
      select admin.add_passkey(
        ${username}, ${id}::uuid, ${Buffer.from(passkey.id, 'base64url')}, ${name}, ${passkey.publicKey},
        ${passkey.counter}, ${transaction.typed.textArray(passkey.transports ?? [])}::text[], ${mostPasskeys}
      )`),
  );
  return added === undefined ? rejected('TooMany') : ok(added);
}

export type ProposedSecret = { readonly secret: string; readonly address: string };

/**
 * The account needs codes after the first correct one.
 * @returns undefined when the account has an authenticator app.
 */
export async function proposeOneTimeCode(
  { sql, seal }: { readonly sql: Sql; readonly seal: Seal },
  username: string,
  issuer: string,
): Promise<ProposedSecret | undefined> {
  const secret = newOneTimeSecret();
  const sealed = seal.close(secret, username);
  if (!(await inTime(isTrue(sql`select admin.propose_one_time_code(${username}, ${sealed})`)))) return undefined;
  return { secret: base32Of(secret), address: oneTimeCodeAddress(secret, issuer, username) };
}

export type ConfirmCode = { readonly code: string; readonly name: string; readonly by: Commanded };

export async function addOneTimeCode(
  world: HandleWorld & { readonly seal: Seal },
  session: ProvenSession,
  { code, name, by }: ConfirmCode,
): Promise<Result<Added, 'WrongCode'>> {
  const { username, id } = session;
  const [kept] = await inTime(
    world.sql<{ secret: Uint8Array; is_confirmed: boolean }[]>`
      select secret, is_confirmed from admin.one_time_code_of(${username})`,
  );
  const secret = kept?.is_confirmed === false ? world.seal.open(kept.secret, username) : undefined;
  const typed = code.replaceAll(/\s/g, '');
  const step = secret === undefined || !isOneTimeCode(typed) ? undefined : matchingStep(secret, typed, world.now());
  if (kept === undefined || step === undefined) return rejected('WrongCode');
  const added = await addFactor(world, { username, kind: 'one-time-code', by }, (transaction) =>
    isTrue(transaction`select admin.confirm_one_time_code(${username}, ${id}::uuid, ${kept.secret}, ${step}, ${name})`),
  );
  return added === undefined ? rejected('WrongCode') : ok(added);
}

type AddedFactor = { readonly username: string; readonly kind: SecondFactorKind; readonly by: Commanded };

/** With the first recovery codes. */
async function addFactor(
  world: HandleWorld,
  { username, kind, by }: AddedFactor,
  add: (transaction: Transaction) => Promise<boolean>,
): Promise<Added | undefined> {
  return await changingAccount(world, { username, ...by }, async (transaction, record) => {
    if (!(await add(transaction))) return undefined;
    const isFirst = (await listFactors(transaction, username)).length === 1;
    const recoveryCodes = isFirst ? await makeRecoveryCodes(transaction, username) : undefined;
    const facts = recoveryCodes === undefined ? [] : [codesMade(username, recoveryCodes)];
    await record({ type: 'SecondFactorAdded', username, kind }, ...facts);
    return { recoveryCodes };
  });
}

export async function replaceRecoveryCodes(
  world: HandleWorld,
  username: string,
  by: Commanded,
): Promise<readonly string[] | undefined> {
  return await changingAccount(world, { username, ...by }, async (transaction, record) => {
    if ((await listFactors(transaction, username)).length === 0) return undefined;
    const codes = await makeRecoveryCodes(transaction, username);
    await record(codesMade(username, codes));
    return codes;
  });
}

export async function removeFactor(
  world: HandleWorld,
  { username, id }: { readonly username: string; readonly id: string },
  by: Commanded,
): Promise<boolean> {
  return await changingAccount(world, { username, ...by }, async (transaction, record) => {
    const [row] = await transaction<{ kind: SecondFactorKind | null }[]>`
      select admin.remove_second_factor(${username}, ${id}::uuid) as kind`;
    const kind = row?.kind ?? undefined;
    if (kind === undefined) return false;
    await record({ type: 'SecondFactorRemoved', username, kind });
    return true;
  });
}

/**
 * For owners and the operator: removes all factors of a person who lost them, and ends their sessions. In production
 * the next sign-in asks for a new factor.
 * @returns undefined when there is no such account.
 */
export async function resetSecondFactor(
  world: HandleWorld,
  username: string,
  by: Commanded,
): Promise<{ readonly endedSessions: number } | undefined> {
  return await changingAccount(world, { username, ...by }, async (transaction, record) => {
    const [row] = await transaction<{ ended: number | null }[]>`
      select admin.reset_second_factor(${username}) as ended`;
    if (typeof row?.ended !== 'number') return undefined;
    const { ended: endedSessions } = row;
    await record({ type: 'SecondFactorReset', username, endedSessions });
    return { endedSessions };
  });
}

function codesMade(username: string, codes: readonly string[]): SecondFactorEvent {
  return { type: 'RecoveryCodesMade', username, count: codes.length };
}
