import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { openNote, readSigner, signNote, verifierOf, verifierText } from './signed-note.ts';

const pemOf = (type: 'ed25519' | 'x25519') =>
  (type === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('x25519')).privateKey
    .export({ type: 'pkcs8', format: 'pem' })
    .toString();
const signer = readSigner('kilim/ledger', pemOf('ed25519'));
const verifier = verifierOf(signer);
const text = 'kilim/ledger\n12\nroot\n';

describe('a signed note', () => {
  test('opens to the signed text', () => {
    expect(openNote(signNote(text, signer), [verifier])).toBe(text);
  });

  test('names its key, so that another program can check it', () => {
    expect(signNote(text, signer)).toMatch(/^kilim\/ledger\n12\nroot\n\n— kilim\/ledger [A-Za-z0-9+/=]{92}\n$/);
    expect(verifierText(verifier)).toMatch(/^kilim\/ledger\+[0-9a-f]{8}\+AQ?[A-Za-z0-9+/=]+$/);
  });

  test.each([
    ['a changed text', (note: string) => note.replace('12', '13')],
    ['a signature of another key', () => signNote(text, readSigner('kilim/ledger', pemOf('ed25519')))],
    ['a key of another name', () => signNote(text, { ...signer, name: 'somebody/else' })],
    ['no signature', () => text],
    ['a cut signature', (note: string) => note.slice(0, -10)],
    ['nothing', () => ''],
  ])('does not open with %s', (_what, forge) => {
    expect(openNote(forge(signNote(text, signer)), [verifier])).toBeUndefined();
  });
});

test.each([
  ['x25519', pemOf('x25519')],
  ['nonsense', 'not a key'],
])('a key of another kind is refused: %s', (_kind, pem) => {
  expect(() => readSigner('kilim/ledger', pem)).toThrow('not an Ed25519 private key');
});
