import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { noteText, readNote } from './checkpoint-note.ts';
import { findNotes } from './find-notes.ts';
import { openNote, signNote, verifierOf } from './signed-note.ts';
import { ledgerSigner } from './signing-key.ts';

const signer = ledgerSigner(
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  'Kilim & Söhne',
);
const content = {
  sequence: 7,
  root: Buffer.alloc(32, 1),
  from: { epoch: 1, xid: '90' },
  to: { epoch: 1, xid: '120' },
  events: 12,
  previous: Buffer.alloc(32, 2).toString('base64'),
  sealed: {
    places: Buffer.alloc(32, 3).toString('base64'),
    at: '2026-10-31T23:59:59.000Z',
    shop: 'Kilim & Söhne',
    macs: 2,
  },
};
const note = signNote(noteText(content), signer);
const earlier = signNote(noteText({ ...content, sequence: 6, previous: undefined }), signer);

test('a note is read as it was written', () => {
  expect(readNote(note)).toEqual(content);
  expect(readNote('kilim/ledger\n1\nno root\n\n')).toBeUndefined();
});

test('the name of the shop cannot add a line', () => {
  const text = noteText({ ...content, sealed: { ...content.sealed, shop: 'Kilim\nevents 99' } });
  expect(text).toContain('\nshop Kilim events 99\n');
});

const base64 = Buffer.from(note).toString('base64');
const quotedPrintable = note
  .replaceAll('=', '=3D')
  .replaceAll('—', '=E2=80=94')
  .replaceAll('ö', '=C3=B6')
  .replaceAll('\n', '\r\n');
const mail = (head: string, body: string) => `From: shop@kilim.test\r\nSubject: Seal 7\r\n${head}\r\n\r\n${body}\r\n`;
const plain = 'Content-Type: text/plain; charset=utf-8';

test.each([
  ['its own file', note],
  ['a file with line ends of Windows', note.replaceAll('\n', '\r\n')],
  ['a letter', `Dear Ada,\n\nplease keep this:\n\n${note}\nYours`],
  ['a quoted letter', note.replaceAll(/^/gm, '> ')],
  ['JSON', JSON.stringify({ certificate: { note } })],
  ['JSON in ASCII', JSON.stringify({ note }).replaceAll('—', '\\u2014')],
  ['a mail', mail(plain, note.replaceAll('\n', '\r\n'))],
  ['a mail in quoted-printable', mail(`${plain}\r\nContent-Transfer-Encoding: quoted-printable`, quotedPrintable)],
  [
    'an attachment',
    mail(
      'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b',
      `--b\r\n${plain}\r\n\r\nSee below\r\n--b\r\nContent-Type: text/plain; name=seal.txt\r\nContent-Disposition: attachment; filename=seal.txt\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64}\r\n--b--`,
    ),
  ],
])('a note is found in %s, and its signature is valid', async (_, file) => {
  const [found = '', ...others] = await findNotes(Buffer.from(file));
  expect(others).toEqual([]);
  expect(openNote(found, [verifierOf(signer)])).toBe(noteText(content));
});

test('a mailbox has the notes of all its mails', async () => {
  const mails = [earlier, note].map((text) => `From shop@kilim.test Sat Oct 31\n${mail(plain, text)}\n`);
  const found = await findNotes(Buffer.from(mails.join('')));
  expect(found.map((text) => readNote(text)?.sequence)).toEqual([6, 7]);
});

test('a file without a note has none', async () => {
  expect(await findNotes(Buffer.from('kilim/ledger is a name'))).toEqual([]);
});
