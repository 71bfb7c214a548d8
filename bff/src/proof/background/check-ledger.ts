import { day, type Fail, hour, type Job } from '../../core/background/job.ts';
import type { Sql } from '../../core/database/database.ts';
import { rememberComparison } from '../../core/ledger/findings.ts';
import { postponeJob } from '../../core/ledger/jobs.ts';
import type { World } from '../../core/use-case/world.ts';
import { readCheckpoints } from '../checkpoint.ts';
import { tellFault } from '../cli/tell-fault.ts';
import { macKeyOf } from '../event-mac.ts';
import { type Proof, prove } from '../prove.ts';
import { findingOf } from '../remember-verification.ts';
import { keyIdOf, keyIdsIn, verifierOf } from '../signed-note.ts';
import type { LedgerSigner } from '../signing-key.ts';

/** Three connections without a time limit, as a server has them, until `use` ends. */
export type WithReader = <T>(use: (sql: Sql) => Promise<T>) => Promise<T>;

type CheckingWorld = Pick<World, 'sql' | 'log'> & { readonly withReader: WithReader };

const name = 'check-ledger';

/** Makes the check due; the next free worker runs it. */
export async function askForCheck(sql: Sql): Promise<void> {
  await postponeJob(sql, name, 0);
}

/**
 * The servers' own check of all events. It stands beside the verification and never replaces it: it uses no note that
 * is kept elsewhere, and an attacker in a server could store any result.
 */
export function checkingLedger({ sql, log, withReader }: CheckingWorld, signer: LedgerSigner | undefined): Job {
  let isStopping = false;
  const onProgress = () => {
    if (isStopping) throw new Stopped();
  };
  const check = async () => {
    const finding = await withReader((reader) => checkOnServer(reader, signer, onProgress));
    await rememberComparison(sql, 'server-check', finding);
    const { events, faults } = finding;
    if (faults > 0) log.error({ events, faults }, 'the check of the ledger found faults');
    else log.info({ events }, 'the ledger was checked');
  };
  return {
    name,
    limitSeconds: day + 2 * hour,
    meaning: 'No server checks whether the records were changed.',
    pollSeconds: 5,
    everySeconds: day,
    run: async (fail: Fail) => {
      await check().catch((error: unknown) => {
        if (!(error instanceof Stopped)) throw error;
        // Another server does it, or this one after its start.
        fail('the server stopped before the check of the records ended');
      });
      return 0;
    },
    stop: async (rounds) => {
      isStopping = true;
      await rounds();
      isStopping = false;
    },
  };
}

class Stopped extends Error {}

async function checkOnServer(sql: Sql, signer: LedgerSigner | undefined, onProgress: () => void) {
  const signedFrom = signer === undefined ? 1 : await firstSignedBy(sql, signer);
  const proof = await prove({
    sql,
    verifiers: signer === undefined ? [] : [verifierOf(signer)],
    signedFrom,
    against: undefined,
    memory: signer?.memory,
    macs: { keys: signer === undefined ? [] : [macKeyOf(signer)] },
    onProgress,
  });
  return findingOf({ ...sizeOf(proof), signaturesChecked: signer !== undefined && signedFrom === 1 });
}

function sizeOf({ ledger: { events, checkpoints, horizon }, faults }: Proof) {
  return { events, checkpoints, horizon, faults: faults.map(tellFault) };
}

/** A server does not have the keys that signed before it: after a change, only a person can check those signatures. */
async function firstSignedBy(sql: Sql, signer: LedgerSigner): Promise<number> {
  const own = keyIdOf(verifierOf(signer));
  for await (const checkpoints of readCheckpoints(sql)) {
    const first = checkpoints.find(({ note }) => keyIdsIn(note).includes(own));
    if (first !== undefined) return first.sequence;
  }
  return 1;
}
