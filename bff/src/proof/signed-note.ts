import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

// Signed notes of C2SP (c2sp.org/signed-note): text, an empty line, and a line for the signature, which names its key.

/** Ed25519. The key's name stands in the note and is part of the key's id. */
export type NoteSigner = { readonly name: string; readonly privateKey: KeyObject };
export type NoteVerifier = { readonly name: string; readonly publicKey: KeyObject };

const algorithmEd25519 = 1;

/** @throws Error with a sentence when the text is not an Ed25519 key in PEM. */
export function readSigner(name: string, pem: string): NoteSigner {
  const privateKey = readKey(pem);
  if (privateKey?.asymmetricKeyType !== 'ed25519') throw new Error('The key is not an Ed25519 private key in PEM.');
  return { name, privateKey };
}

function readKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}

export function verifierOf({ name, privateKey }: NoteSigner): NoteVerifier {
  return { name, publicKey: createPublicKey(privateKey) };
}

/** As C2SP writes a verifier's key: name, id and key, for whoever checks notes without us. */
export function verifierText(verifier: NoteVerifier): string {
  const key = Buffer.concat([Buffer.of(algorithmEd25519), rawKey(verifier)]);
  return `${verifier.name}+${keyId(verifier).toString('hex')}+${key.toString('base64')}`;
}

/** The text ends with a line feed. */
export function signNote(text: string, signer: NoteSigner): string {
  const signature = sign(null, Buffer.from(text), signer.privateKey);
  const line = Buffer.concat([keyId(verifierOf(signer)), signature]).toString('base64');
  return `${text}\n— ${signer.name} ${line}\n`;
}

/** @returns the text that was signed, or undefined when no signature of this key holds. */
export function openNote(note: string, verifier: NoteVerifier): string | undefined {
  const end = note.lastIndexOf('\n\n');
  if (end < 0) return undefined;
  const text = note.slice(0, end + 1);
  const prefix = `— ${verifier.name} `;
  const isSigned = note
    .slice(end + 2)
    .split('\n')
    .filter((line) => line.startsWith(prefix))
    .map((line) => Buffer.from(line.slice(prefix.length), 'base64'))
    .filter((bytes) => bytes.length === 68 && bytes.subarray(0, 4).equals(keyId(verifier)))
    .some((bytes) => verify(null, Buffer.from(text), verifier.publicKey, bytes.subarray(4)));
  return isSigned ? text : undefined;
}

function keyId(verifier: NoteVerifier): Buffer {
  const key = Buffer.concat([Buffer.from(`${verifier.name}\n`), Buffer.of(algorithmEd25519), rawKey(verifier)]);
  return createHash('sha256').update(key).digest().subarray(0, 4);
}

/** The last 32 bytes of the key's DER form. */
function rawKey({ publicKey }: NoteVerifier): Buffer {
  return publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
}
