import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { ExitCode, LedgerCommand, LedgerWorld } from '../../core/cli/command.ts';
import { grouped } from '../../core/cli/terminal.ts';
import { compareCluster, explainCluster } from '../../core/database/cluster.ts';
import { estimateEvents } from '../../core/ledger/estimate-events.ts';
import type { MacOptions } from '../check-macs.ts';
import { macKeyOf } from '../event-mac.ts';
import type { CheckedNotes, Confirmed } from '../kept-notes.ts';
import { type Proof, prove } from '../prove.ts';
import { rememberVerification } from '../remember-verification.ts';
import { type NoteVerifier, readVerifier, verifierOf } from '../signed-note.ts';
import { findSigningKey, type LedgerSigner, ledgerSigner } from '../signing-key.ts';
import { tellClue, tellFault } from './tell-fault.ts';

export const verifyCommand: LedgerCommand = {
  usage: `verify [--against <file or directory>] [--key <key>]... [--earlier-key <file>]... [--macs-from <instant>]
  Recomputes every hash, chain, checkpoint and MAC, and compares contacts, accounts, functions, triggers and rights. --against
  also compares with notes that were kept elsewhere: files of "checkpoint --out", mails, certificates of closings. Without
  such a note the ledger is not proven. --key, as printed by "checkpoint --key", checks signatures when the server's own
  key is missing or not trusted. After a change of the key give both, each with --key, and the file of the earlier
  signing key with --earlier-key, for the MACs. --macs-from 2026-12-01T00:00:00Z: from when on every event must have a
  MAC of these keys; by default from the first one on.`,
  runsInAnyCluster: true,
  run: verify,
};

async function verify(
  { signingKey, databaseUrl, sql, terminal }: LedgerWorld,
  args: readonly string[],
): Promise<ExitCode> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      against: { type: 'string' },
      key: { type: 'string', multiple: true },
      'earlier-key': { type: 'string', multiple: true },
      'macs-from': { type: 'string' },
    },
  });
  const signer = await findSigningKey(signingKey);
  const own = signer === undefined ? [] : [verifierOf(signer)];
  const verifiers = values.key === undefined ? own : values.key.map(readVerifier);
  if (verifiers.length === 0) {
    terminal.say(
      'There is no key: set LEDGER_SIGNING_KEY or give --key. The signatures of checkpoints are not checked.',
    );
  }
  const progress = terminal.progress('events', await estimateEvents(sql));
  const { against } = values;
  const proof = await prove({
    sql,
    url: databaseUrl,
    verifiers,
    against,
    memory: signer?.memory,
    macs: await macOptions(signer, { earlierKeys: values['earlier-key'] ?? [], from: values['macs-from'] }),
    onProgress: progress.add,
  });
  progress.end();
  const { ledger: verified, kept, faults } = proof;
  const told = faults.map(tellFault);
  for (const line of told) terminal.say(line);
  const { events, streams, horizon, checkpoints, unsealed } = verified;
  const keptNote = kept?.newest && { ...kept.newest, at: kept.newest.at ?? null };
  const signaturesChecked = verifiers.length > 0;
  const finding = { events, checkpoints, horizon, signaturesChecked, faults: told, keptNote };
  if (!(await rememberVerification(sql, finding))) {
    terminal.say('This login may not store the result, so the Books page keeps showing the previous result.');
  }
  terminal.say(
    `${grouped(events)} events in ${grouped(streams)} streams, ${grouped(checkpoints)} checkpoints; ${grouped(unsealed)} events are not sealed yet.`,
  );
  for (const line of [...tellKept(kept, verifiers), ...tellUnchecked(proof)]) terminal.say(line);
  const foreign = explainCluster(await compareCluster(sql));
  if (foreign !== undefined) terminal.say(foreign);
  const { said, code } = conclude(faults.length, proof.schemaCompared ? kept?.newest : undefined);
  terminal.say(said);
  return code;
}

type MacArguments = { readonly earlierKeys: readonly string[]; readonly from: string | undefined };

async function macOptions(signer: LedgerSigner | undefined, { earlierKeys, from }: MacArguments): Promise<MacOptions> {
  const earlier = earlierKeys.map(async (file) => ledgerSigner(await readFile(file, 'utf8'), ''));
  const signers = [...(signer === undefined ? [] : [signer]), ...(await Promise.all(earlier))];
  const requiredFrom = from === undefined ? undefined : new Date(from);
  if (Number.isNaN(requiredFrom?.getTime()))
    throw new Error('--macs-from must be an instant, such as 2026-12-01T00:00:00Z.');
  return { keys: signers.map(macKeyOf), requiredFrom };
}

/** Without a note from elsewhere, the database vouches for itself. */
function conclude(
  faults: number,
  confirmed: Confirmed | undefined,
): { readonly said: string; readonly code: ExitCode } {
  if (faults > 0) return { said: `Faults: ${grouped(faults)}.`, code: 2 };
  if (confirmed === undefined) {
    return {
      said: 'No fault was found, but the ledger is not proven: give a note that was kept elsewhere, with --against.',
      code: 3,
    };
  }
  const { sequence, at } = confirmed;
  const age = at === undefined ? '' : `, which is ${ageOf(at)} old`;
  return { said: `The ledger is whole. A kept note proves it up to checkpoint ${grouped(sequence)}${age}.`, code: 0 };
}

function ageOf(at: string): string {
  const hours = Math.max(0, Math.floor((Date.now() - Date.parse(at)) / 3_600_000));
  if (hours < 1) return 'less than an hour';
  if (hours < 48) return hours === 1 ? '1 hour' : `${hours} hours`;
  return `${Math.floor(hours / 24)} days`;
}

function tellUnchecked({
  textsChecked,
  access,
  traces,
  schemaCompared,
  ledger: { macs, instants },
}: Proof): readonly string[] {
  return [
    ...instants.warnings.map((warning) => `No fault, a clock was wrong: ${tellFault(warning)}`),
    ...(macs === undefined ? ['There is no signing key, so the MACs of events are not checked.'] : []),
    ...(macs === undefined || macs.earlier === 0
      ? []
      : [`${grouped(macs.earlier)} events are from before the first MAC of this key; their MACs are not checked.`]),
    ...(textsChecked ? [] : ['This login may not read contacts and the words about refunds, so they are not checked.']),
    ...(access === undefined ? ['This login may not read accounts, so they are not checked.'] : []),
    ...(traces === undefined
      ? ['This login may not read the rows beside the ledger, so they are not checked.']
      : traces.clues.map(tellClue)),
    ...(schemaCompared
      ? []
      : [
          'The database has migrations of another release, so its functions, triggers and rights are not checked. Verify with the program of that release.',
        ]),
  ];
}

function tellKept(kept: CheckedNotes | undefined, verifiers: readonly NoteVerifier[]): readonly string[] {
  if (kept === undefined) return [];
  const unsigned = verifiers.length === 0 ? ' Their signatures were not checked.' : '';
  return [`Kept checkpoints that were compared: ${grouped(kept.notes)}.${unsigned}`];
}
