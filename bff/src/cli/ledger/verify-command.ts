import { parseArgs } from 'node:util';
import { compareCluster, explainCluster } from '../../database/cluster.ts';
import { type CheckedNotes, checkKeptNotes } from '../../ledger/proof/kept-notes.ts';
import { rememberVerification } from '../../ledger/proof/remember-verification.ts';
import { type NoteVerifier, readVerifier, verifierOf } from '../../ledger/proof/signed-note.ts';
import { findSigningKey, signingKeyPlace } from '../../ledger/proof/signing-key.ts';
import { estimateEvents } from '../../ledger/proof/split-streams.ts';
import { verifyLedger } from '../../ledger/proof/verify.ts';
import type { Environment } from '../../server/env.ts';
import type { ExitCode, LedgerCommand, LedgerWorld } from './command.ts';
import { tellFault } from './tell-fault.ts';
import { grouped } from './terminal.ts';

export const verifyCommand: LedgerCommand = {
  usage: `verify [--against <file or directory>] [--key <key>]...
  Recomputes every hash, chain and checkpoint. --against also compares with checkpoints that were kept elsewhere. --key, as printed by
  "checkpoint --key", checks signatures when the server's own key is missing or not trusted. After a change of the key give both, each with --key.`,
  runsInAnyCluster: true,
  run: verify,
};

async function verify(
  { environment, databaseUrl, sql, terminal }: LedgerWorld,
  args: readonly string[],
): Promise<ExitCode> {
  const { values } = parseArgs({
    args: [...args],
    options: { against: { type: 'string' }, key: { type: 'string', multiple: true } },
  });
  const verifiers = values.key === undefined ? await ownVerifiers(environment) : values.key.map(readVerifier);
  if (verifiers.length === 0) {
    terminal.say(
      'There is no key: set LEDGER_SIGNING_KEY or give --key. The signatures of checkpoints are not checked.',
    );
  }
  const kept = values.against === undefined ? undefined : await checkKeptNotes(sql, values.against, verifiers);
  const progress = terminal.progress('events', await estimateEvents(sql));
  const verified = await verifyLedger({ url: databaseUrl, verifiers, onProgress: progress.add });
  progress.end();
  const faults = [...verified.faults, ...(kept?.faults ?? [])];
  const told = faults.map(tellFault);
  for (const line of told) terminal.say(line);
  const { events, streams, checkpoints, unsealed } = verified;
  const finding = { events, checkpoints, signaturesChecked: verifiers.length > 0, faults: told };
  if (!(await rememberVerification(sql, finding))) {
    terminal.say('This login may not store the result, so the Books page keeps showing the previous result.');
  }
  terminal.say(
    `${grouped(events)} events in ${grouped(streams)} streams, ${grouped(checkpoints)} checkpoints; ${grouped(unsealed)} events are not sealed yet.`,
  );
  for (const line of tellKept(kept, verifiers)) terminal.say(line);
  const foreign = explainCluster(await compareCluster(sql));
  if (foreign !== undefined) terminal.say(foreign);
  terminal.say(faults.length === 0 ? 'The ledger is whole.' : `Faults: ${grouped(faults.length)}.`);
  return faults.length === 0 ? 0 : 2;
}

async function ownVerifiers(environment: Environment): Promise<readonly NoteVerifier[]> {
  const signer = await findSigningKey(signingKeyPlace(environment));
  return signer === undefined ? [] : [verifierOf(signer)];
}

function tellKept(kept: CheckedNotes | undefined, verifiers: readonly NoteVerifier[]): readonly string[] {
  if (kept === undefined) return [];
  const unsigned = verifiers.length === 0 ? ' Their signatures were not checked.' : '';
  return [`Kept checkpoints that were compared: ${grouped(kept.notes)}.${unsigned}`];
}
