import { Gauge, type Registry } from 'prom-client';
import type { Room } from '../core/room.ts';
import type { World } from '../core/use-case/world.ts';
import { checkingLedger, type WithReader } from './background/check-ledger.ts';
import { sealing } from './background/seal-ledger.ts';
import { sendingNotes, tellingOfLateNotes } from './background/send-notes.ts';
import { checkSigningKey } from './check-signing-key.ts';
import { checkWitnesses } from './check-witnesses.ts';
import { readLastCheckpoint } from './checkpoint.ts';
import { readProofAttention } from './read-attention.ts';
import type { LedgerSigner } from './signing-key.ts';
import type { Witness } from './witness/witness.ts';
import { readWitnessAges } from './witness/witnessed.ts';

export { authenticateAppends } from './authentic-event.ts';
export { macKeyOf } from './event-mac.ts';
export { type LedgerSigner, openSigningKey, signingKeyPlace } from './signing-key.ts';
export { reading } from './verify.ts';
export { openWitnesses } from './witness/open-witnesses.ts';
export type { Witness } from './witness/witness.ts';
export type { WithReader };

export type ProofOptions = {
  readonly world: World;
  readonly withReader: WithReader;
  /** Absent: nothing is sealed. */
  readonly signer: LedgerSigner | undefined;
  readonly witnesses: readonly Witness[];
  /** Real money: only a witness can prove the ledger to others. */
  readonly needsWitness: boolean;
  readonly production: boolean;
  readonly registry: Registry;
};

export function proof(options: ProofOptions): Room {
  const { world, withReader, signer, witnesses, needsWitness, production, registry } = options;
  const { sql, log } = world;
  const registers = [registry];
  const refused = new Gauge({
    name: 'kilim_sealing_refused',
    help: 'Whether this process refuses to seal the ledger, because of its key or of checkpoints that it remembers',
    registers,
  });
  const age = new Gauge({
    name: 'kilim_witness_age_seconds',
    help: 'Time since each witness got a note of the ledger; without one, since the first checkpoint',
    labelNames: ['kind'],
    registers,
  });
  return {
    jobs: [
      ...(signer === undefined ? [] : [sealing({ sql, log, refused }, signer)]),
      sendingNotes({ sql, log }, witnesses),
      tellingOfLateNotes({ sql, log }, witnesses),
      checkingLedger({ sql, log, withReader }, signer),
    ],
    checks: [
      async () => checkWitnesses(witnesses, production),
      async () => checkSigningKey(await readLastCheckpoint(sql), signer),
    ],
    attention: () => readProofAttention(sql, { witnesses, signer, needsWitness }),
    gauges: [
      {
        clear: () => age.reset(),
        read: async () => {
          for (const { kind, ageSeconds } of await readWitnessAges(sql, witnesses)) age.set({ kind }, ageSeconds);
        },
      },
    ],
  };
}
