import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SigningKeyPlace } from '../core/cli/command.ts';
import { openSealMemory, type SealMemory } from './seal-memory.ts';
import { type NoteSigner, readSigner } from './signed-note.ts';

/** In every note, and in the key that checks the notes. */
const ledgerName = 'kilim/ledger';

export type LedgerSigner = NoteSigner & {
  /** An accountant may keep the notes of several businesses. */
  readonly shop: string;
  /** Absent: nothing is refused. */
  readonly memory?: SealMemory;
};

type Configuration = {
  readonly ledger: Pick<SigningKeyPlace, 'signingKey'>;
  readonly dataDir: string;
  readonly business: { readonly name: string };
};

export function signingKeyPlace({ ledger, dataDir, business }: Configuration): SigningKeyPlace {
  return { signingKey: ledger.signingKey, dataDir, shop: business.name };
}

/** @throws Error with a sentence when the text is not a key. */
export function ledgerSigner(text: string, shop: string): LedgerSigner {
  return { ...readSigner(ledgerName, text), shop };
}

/** The configured key, or the one that an earlier start generated. */
export async function findSigningKey({
  signingKey,
  dataDir,
  shop,
}: SigningKeyPlace): Promise<LedgerSigner | undefined> {
  const memory = openSealMemory(dataDir);
  if (signingKey !== undefined) return { ...ledgerSigner(signingKey, shop), memory };
  const file = keyFile(dataDir);
  const text = await readFile(file, 'utf8').catch(ignoreAbsence);
  return text === undefined ? undefined : { ...signerInFile(text, { file, shop }), memory };
}

type KeyFile = { readonly file: string; readonly shop: string };

function signerInFile(text: string, { file, shop }: KeyFile): LedgerSigner {
  try {
    return ledgerSigner(text, shop);
  } catch (error) {
    throw new Error(
      `${file} holds no Ed25519 private key: restore the file from a copy, or set LEDGER_SIGNING_KEY to the ledger's key.`,
      { cause: error },
    );
  }
}

/** Generates a missing key, in a file that only the server's user can read. */
export async function openSigningKey(place: SigningKeyPlace): Promise<LedgerSigner> {
  const found = await findSigningKey(place);
  if (found !== undefined) return found;
  const { privateKey } = generateKeyPairSync('ed25519');
  const text = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');
  await mkdir(place.dataDir, { recursive: true });
  const whole = `${keyFile(place.dataDir)}.${randomUUID()}`;
  try {
    await writeFile(whole, `${text}\n`, { mode: 0o600 });
    // The link is atomic: processes that start together all keep the same key.
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
