import type { Diagnosis } from '../core/runtime/diagnosis.ts';
import { keyIdOf, keyIdsIn, type NoteSigner, openNote, verifierOf } from './signed-note.ts';

const variable = 'LEDGER_SIGNING_KEY';

type SignedCheckpoint = { readonly sequence: number; readonly note: string };

/**
 * With another key, a verifier would need both, and no record would say when it changed.
 *
 * @param signer absent: this server has no key yet, and would generate one.
 */
export function checkSigningKey(
  last: SignedCheckpoint | undefined,
  signer: NoteSigner | undefined,
): readonly Diagnosis[] {
  if (last === undefined) return [];
  const ids = keyIdsIn(last.note);
  const newest = `the newest checkpoint (number ${last.sequence}) is signed with key ${ids.join(', ')}`;
  if (signer === undefined) {
    const remedy = 'Set it to that key: without it, the next start generates another one.';
    return [{ level: 'error', variable, problem: `${newest}, and no key is configured.`, remedy }];
  }
  const verifier = verifierOf(signer);
  if (openNote(last.note, [verifier]) !== undefined) return [];
  const own = keyIdOf(verifier);
  if (ids.includes(own)) {
    return [
      {
        level: 'error',
        variable,
        problem: `the signature of the newest checkpoint (number ${last.sequence}) is not valid: the checkpoint was altered.`,
        remedy: 'Run npm run ledger -- verify, and compare with the last backup.',
      },
    ];
  }
  return [
    {
      level: 'error',
      variable,
      problem: `${newest}, and this is key ${own}. This server seals nothing.`,
      remedy:
        'Set it to the key of the ledger. If you changed the key on purpose, keep the old public key and run once: npm run ledger -- checkpoint --change-key',
    },
  ];
}
