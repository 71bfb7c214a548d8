import type { SecondFactorEvent, SecondFactorKind } from '@kilim/domain/people/second-factor';
import { ok, type Result, rejected } from '@kilim/domain/result';
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Sql, Transaction } from '../../core/database/database.ts';
import { inTime } from '../../core/database/repeat-while-away.ts';
import type { ProvenSession, SecurityNotes } from '../../core/http/proven.ts';
import { recordingAccess } from '../sign-in/record-access.ts';
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
import { type Commanded, recordAdminEvents } from './record-admin-events.ts';

export type SecondFactorWorld = { readonly sql: Sql; readonly now: () => Date };

const mostPasskeys = 10;

export type Added = {
  /** The first factor comes with them. They are shown once. */
  readonly recoveryCodes: readonly string[] | undefined;
};

type Requested = { readonly requestId: string; readonly security?: SecurityNotes | undefined };

export type NewPasskey = Requested & {
  readonly name: string;
  readonly response: RegistrationResponseJSON;
};

export async function addPasskey(
  world: SecondFactorWorld & PasskeyWorld,
  session: ProvenSession,
  { name, response, requestId, security }: NewPasskey,
): Promise<Result<Added, 'NotProven' | 'TooMany'>> {
  const { username, id } = session;
  const challenged = { holder: { kind: 'session', id }, purpose: 'add' } as const;
  const passkey = await verifyCreation(world, challenged, response);
  if (passkey === undefined) return rejected('NotProven');
  const added = await addFactor(world, { session, kind: 'passkey', requestId, security }, async (transaction) => {
    const [row] = await transaction<{ added: boolean }[]>`
      select admin.add_passkey(
        ${username}, ${id}::uuid, ${Buffer.from(passkey.id, 'base64url')}, ${name}, ${passkey.publicKey},
        ${passkey.counter}, ${transaction.typed.textArray(passkey.transports ?? [])}::text[], ${mostPasskeys}
      ) as added`;
    return row?.added === true;
  });
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
  const [row] = await inTime(
    sql<{ proposed: boolean }[]>`
      select admin.propose_one_time_code(${username}, ${seal.close(secret, username)}) as proposed`,
  );
  if (row?.proposed !== true) return undefined;
  return { secret: base32Of(secret), address: oneTimeCodeAddress(secret, issuer, username) };
}

export type ConfirmCode = Requested & { readonly code: string; readonly name: string };

export async function addOneTimeCode(
  world: SecondFactorWorld & { readonly seal: Seal },
  session: ProvenSession,
  { code, name, requestId, security }: ConfirmCode,
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
  const added = await addFactor(world, { session, kind: 'one-time-code', requestId, security }, async (transaction) => {
    const [row] = await transaction<{ added: boolean }[]>`
      select admin.confirm_one_time_code(${username}, ${id}::uuid, ${kept.secret}, ${step}, ${name}) as added`;
    return row?.added === true;
  });
  return added === undefined ? rejected('WrongCode') : ok(added);
}

type AddedFactor = Requested & {
  readonly session: ProvenSession;
  readonly kind: SecondFactorKind;
};

/** All or nothing, with the event and the first recovery codes. */
async function addFactor(
  { sql, now }: SecondFactorWorld,
  { session, kind, requestId, security }: AddedFactor,
  add: (transaction: Transaction) => Promise<boolean>,
): Promise<Added | undefined> {
  const { username } = session;
  const by: Commanded = { actor: `admin:${username}`, requestId, security };
  return await inTime(
    sql.begin((transaction) =>
      recordingAccess({ transaction, now }, { username, ...by }, async () => {
        if (!(await add(transaction))) return undefined;
        const isFirst = (await listFactors(transaction, username)).length === 1;
        const recoveryCodes = isFirst ? await makeRecoveryCodes(transaction, username) : undefined;
        const facts = recoveryCodes === undefined ? [] : [codesMade(username, recoveryCodes)];
        await recordAdminEvents({ transaction, now }, [{ type: 'SecondFactorAdded', username, kind }, ...facts], by);
        return { recoveryCodes };
      }),
    ),
  );
}

export async function replaceRecoveryCodes(
  { sql, now }: SecondFactorWorld,
  { username }: ProvenSession,
  { requestId, security }: Requested,
): Promise<readonly string[] | undefined> {
  const by: Commanded = { actor: `admin:${username}`, requestId, security };
  const replaced = sql.begin((transaction) =>
    recordingAccess({ transaction, now }, { username, ...by }, async () => {
      if ((await listFactors(transaction, username)).length === 0) return { codes: undefined };
      const codes = await makeRecoveryCodes(transaction, username);
      await recordAdminEvents({ transaction, now }, [codesMade(username, codes)], by);
      return { codes };
    }),
  );
  return (await inTime(replaced)).codes;
}

export async function removeFactor(
  { sql, now }: SecondFactorWorld,
  { username }: ProvenSession,
  { id, requestId, security }: Requested & { readonly id: string },
): Promise<boolean> {
  const by: Commanded = { actor: `admin:${username}`, requestId, security };
  return await inTime(
    sql.begin((transaction) =>
      recordingAccess({ transaction, now }, { username, ...by }, async () => {
        const [row] = await transaction<{ kind: SecondFactorKind | null }[]>`
          select admin.remove_second_factor(${username}, ${id}::uuid) as kind`;
        const kind = row?.kind ?? undefined;
        if (kind === undefined) return false;
        await recordAdminEvents({ transaction, now }, [{ type: 'SecondFactorRemoved', username, kind }], by);
        return true;
      }),
    ),
  );
}

/**
 * For owners and the operator: removes all factors of a person who lost them, and ends their sessions. In production
 * the next sign-in asks for a new factor.
 * @returns undefined when there is no such account.
 */
export async function resetSecondFactor(
  { sql, now }: SecondFactorWorld,
  username: string,
  by: Commanded,
): Promise<{ readonly endedSessions: number } | undefined> {
  return await inTime(
    sql.begin((transaction) =>
      recordingAccess({ transaction, now }, { username, ...by }, async () => {
        const [row] = await transaction<
          { ended: number | null }[]
        >`select admin.reset_second_factor(${username}) as ended`;
        if (typeof row?.ended !== 'number') return undefined;
        const { ended: endedSessions } = row;
        await recordAdminEvents({ transaction, now }, [{ type: 'SecondFactorReset', username, endedSessions }], by);
        return { endedSessions };
      }),
    ),
  );
}

function codesMade(username: string, codes: readonly string[]): SecondFactorEvent {
  return { type: 'RecoveryCodesMade', username, count: codes.length };
}
