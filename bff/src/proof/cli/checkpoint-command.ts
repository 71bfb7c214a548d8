import { parseArgs } from 'node:util';
import type { ExitCode, LedgerCommand, LedgerWorld } from '../../core/cli/command.ts';
import { grouped } from '../../core/cli/terminal.ts';
import { checkSigningKey } from '../check-signing-key.ts';
import { readLastCheckpoint, seal } from '../checkpoint.ts';
import { keepNote } from '../kept-notes.ts';
import { verifierOf, verifierText } from '../signed-note.ts';
import { openSigningKey } from '../signing-key.ts';

export const checkpointCommand: LedgerCommand = {
  usage: `checkpoint [--out <directory>] [--key] [--change-key] [--accept-restore]
  Seals the events since the last checkpoint, and prints the newest checkpoint. --out also writes it to a file, with the key to check it:
  give that directory to a person who cannot change the ledger. --key only prints the key.
  --change-key seals with a key that did not sign the last checkpoint: once, after you have changed LEDGER_SIGNING_KEY.
  --accept-restore seals a database that lacks checkpoints which this machine remembers: once, after you restored a backup.`,
  run: checkpoint,
};

async function checkpoint({ signingKey, sql, terminal }: LedgerWorld, args: readonly string[]): Promise<ExitCode> {
  const options = {
    out: { type: 'string' },
    key: { type: 'boolean' },
    'change-key': { type: 'boolean' },
    'accept-restore': { type: 'boolean' },
  } as const;
  const { values } = parseArgs({ args: [...args], options });
  const signer = await openSigningKey(signingKey);
  const verifier = verifierOf(signer);
  if (values.key === true) {
    terminal.say(verifierText(verifier));
    return 0;
  }
  const permitted = { changeKey: values['change-key'] === true, acceptRestore: values['accept-restore'] === true };
  for (let sealed = await seal(sql, signer, permitted); sealed !== undefined; sealed = await seal(sql, signer)) {
    terminal.say(`Sealed ${grouped(sealed.events)} events.`);
  }
  const last = await readLastCheckpoint(sql);
  if (last === undefined) {
    terminal.say('There is nothing to seal yet.');
    return 0;
  }
  if (checkSigningKey(last, signer).length > 0) {
    throw new Error('There are no new events to seal. Run the command again after the next order.');
  }
  terminal.say(last.note.trimEnd());
  if (values.out !== undefined) terminal.say(`Kept as ${await keepNote(values.out, last, verifier)}`);
  return 0;
}
