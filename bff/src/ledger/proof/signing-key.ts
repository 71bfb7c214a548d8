import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../../server/env.ts';
import { type NoteSigner, readSigner } from './signed-note.ts';

/** What signs the ledger's checkpoints is called so, in every note and in the key that checks them. */
const ledgerName = 'kilim/ledger';

export type SigningKeyPlace = {
  /** From the configuration. Absent: a file below `dataDir`. */
  readonly signingKey: string | undefined;
  readonly dataDir: string;
};

export function signingKeyPlace({ ledger, dataDir }: Environment): SigningKeyPlace {
  return { signingKey: ledger.signingKey, dataDir };
}

/** @throws Error with a sentence when the text is not a key. */
export function ledgerSigner(text: string): NoteSigner {
  return readSigner(ledgerName, text);
}

/** The key that is configured, or the one that was generated here once. Without either nothing can be signed or checked. */
export async function findSigningKey({ signingKey, dataDir }: SigningKeyPlace): Promise<NoteSigner | undefined> {
  const text = signingKey ?? (await readFile(keyFile(dataDir), 'utf8').catch(ignoreAbsence));
  return text === undefined ? undefined : ledgerSigner(text);
}

/** As above; where nobody configured a key, one is generated the first time, readable by the server's user only. */
export async function openSigningKey(place: SigningKeyPlace): Promise<NoteSigner> {
  const found = await findSigningKey(place);
  if (found !== undefined) return found;
  const { privateKey } = generateKeyPairSync('ed25519');
  const text = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');
  await mkdir(place.dataDir, { recursive: true });
  const whole = `${keyFile(place.dataDir)}.${randomUUID()}`;
  try {
    await writeFile(whole, `${text}\n`, { mode: 0o600 });
    // The file appears under its name with all that is in it, or not at all: of several processes that start at once, one key stays.
    await link(whole, keyFile(place.dataDir)).catch(ignorePresence);
  } finally {
    await rm(whole, { force: true });
  }
  const kept = await findSigningKey(place);
  if (kept === undefined) throw new Error(`The key that signs the ledger could not be kept in ${place.dataDir}.`);
  return kept;
}

function keyFile(dataDir: string): string {
  return join(dataDir, 'ledger-signing-key');
}

function ignoreAbsence(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

function ignorePresence(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
