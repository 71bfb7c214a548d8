import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

// Signed notes of C2SP (c2sp.org/signed-note): text, an empty line, and a signature line that names its key.

/** Ed25519. The key's id covers its name. */
export type NoteSigner = { readonly name: string; readonly privateKey: KeyObject };
export type NoteVerifier = { readonly name: string; readonly publicKey: KeyObject };

const algorithmEd25519 = 1;

/**
 * @throws Error with a sentence if the text is not an Ed25519 key: PKCS #8 in base64, with or without the PEM lines.
 */
export function readSigner(name: string, text: string): NoteSigner {
  const privateKey = readKey(Buffer.from(text.replaceAll(/-----[A-Z ]+-----|\s/g, ''), 'base64'));
  if (privateKey?.asymmetricKeyType !== 'ed25519') {
    throw new Error('The key is not an Ed25519 private key, PKCS #8 in base64.');
  }
  return { name, privateKey };
}

function readKey(key: Buffer): KeyObject | undefined {
  try {
    return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  } catch {
    return undefined;
  }
}

export function verifierOf({ name, privateKey }: NoteSigner): NoteVerifier {
  return { name, publicKey: createPublicKey(privateKey) };
}

export function verifierText(verifier: NoteVerifier): string {
  const key = Buffer.concat([Buffer.of(algorithmEd25519), rawKey(verifier)]);
  return `${verifier.name}+${keyIdOf(verifier)}+${key.toString('base64')}`;
}

const derPrefix = Buffer.from('302a300506032b6570032100', 'hex');

/** @throws Error with a sentence if the text is not a verifier's key in C2SP format. */
export function readVerifier(text: string): NoteVerifier {
  const [, name = '', id, base64 = ''] = /^([^+\s]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(text.trim()) ?? [];
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length === 33 && bytes[0] === algorithmEd25519) {
    const key = Buffer.concat([derPrefix, bytes.subarray(1)]);
    const verifier = { name, publicKey: createPublicKey({ key, format: 'der', type: 'spki' }) };
    if (keyIdOf(verifier) === id) return verifier;
  }
  throw new Error(
    'The key is not one that checks notes: name+id+key, as `npm run ledger -- checkpoint --key` prints it.',
  );
}

/** The text ends with a line feed. */
export function signNote(text: string, signer: NoteSigner): string {
  const signature = sign(null, Buffer.from(text), signer.privateKey);
  const line = Buffer.concat([keyId(verifierOf(signer)), signature]).toString('base64');
  return `${text}\n— ${signer.name} ${line}\n`;
}

/** @returns the signed text, or undefined if no signature by these keys is valid. */
export function openNote(note: string, verifiers: readonly NoteVerifier[]): string | undefined {
  const text = textOf(note);
  return text !== '' && verifiers.some((verifier) => isSigned(note, text, verifier)) ? text : undefined;
}

function isSigned(note: string, text: string, verifier: NoteVerifier): boolean {
  const prefix = `— ${verifier.name} `;
  return note
    .slice(text.length + 1)
    .split('\n')
    .filter((line) => line.startsWith(prefix))
    .map((line) => Buffer.from(line.slice(prefix.length), 'base64'))
    .filter((bytes) => bytes.length === 68 && bytes.subarray(0, 4).equals(keyId(verifier)))
    .some((bytes) => verify(null, Buffer.from(text), verifier.publicKey, bytes.subarray(4)));
}

/** 8 hexadecimal digits, public. */
export function keyIdOf(verifier: NoteVerifier): string {
  return keyId(verifier).toString('hex');
}

/** The signatures may be invalid. */
export function keyIdsIn(note: string): readonly string[] {
  const signatures = note.slice(textOf(note).length).matchAll(/^— \S+ (\S+)$/gm);
  return [...signatures].map(([, base64 = '']) => Buffer.from(base64, 'base64').subarray(0, 4).toString('hex'));
}

/** Empty when the note has no empty line. */
export function textOf(note: string): string {
  const end = note.lastIndexOf('\n\n');
  return note.slice(0, end < 0 ? 0 : end + 1);
}

function keyId(verifier: NoteVerifier): Buffer {
  const key = Buffer.concat([Buffer.from(`${verifier.name}\n`), Buffer.of(algorithmEd25519), rawKey(verifier)]);
  return createHash('sha256').update(key).digest().subarray(0, 4);
}

/** The last 32 bytes of the key's DER form. */
function rawKey({ publicKey }: NoteVerifier): Buffer {
  return publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
}
