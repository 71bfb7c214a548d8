import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findNotes } from '../find-notes.ts';
import { mailWitness } from './send-mail.ts';
import { timestampWitness } from './timestamp.ts';

const root = Buffer.alloc(32, 7).toString('base64');
const note = [
  'kilim/ledger',
  '12',
  root,
  'range 1:700 1:800',
  'events 5',
  'previous -',
  `places ${root}`,
  'time 2026-11-20T08:00:00.000Z',
  'shop Rugs & Söhne',
  '',
  `— kilim/ledger ${Buffer.alloc(68, 3).toString('base64')}`,
  '',
].join('\n');
const sent = { sequence: 12, note };

const folder = mkdtempSync(join(tmpdir(), 'kilim-witness-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Answer = { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: string | Buffer };
type Asked = { readonly method: string | undefined; readonly url: string | undefined; readonly body: Buffer } & Pick<
  IncomingMessage,
  'headers'
>;

async function serve(answer: (asked: Asked) => Answer) {
  const server = createServer((request, response) => {
    const { method, url, headers: asked } = request;
    void buffer(request).then((received) => {
      const { status = 200, headers = {}, body } = answer({ method, url, headers: asked, body: received });
      response.writeHead(status, headers).end(body);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  afterAll(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('the mail to the accountant', () => {
  const mails: string[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _, done) =>
      username === 'kilim@shop' && password === 'p/w:1' ? done(null, { user: username }) : done(new Error('Refused')),
    onData: (stream, _, done) =>
      void text(stream).then((mail) => {
        mails.push(mail);
        done();
      }),
  });
  let port = 0;
  beforeAll(async () => {
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    ({ port } = server.server.address() as AddressInfo);
  });
  afterAll(() => new Promise<void>((closed) => server.close(closed)));

  const mailTo = (password: string) =>
    mailWitness({
      smtpUrl: `smtp://kilim%40shop:${encodeURIComponent(password)}@127.0.0.1:${port}`,
      from: 'books@shop.example',
      to: 'ada@Accountant.example',
    });

  test('holds a note that is found in the kept mail', async () => {
    const witness = mailTo('p/w:1');
    expect(await witness.send(sent)).toMatch(/^<.+@shop\.example> 250 /);
    const [mail = ''] = mails;
    expect(mail).toMatch(/^To: ada@Accountant\.example$/im);
    expect(mail).toMatch(/filename=checkpoint-00000012\.txt/);
    expect(await findNotes(Buffer.from(mail))).toEqual([note]);
    expect(witness.to).toBe('accountant.example');
  });

  test('fails with a reason and without the password when the server refuses it', async () => {
    const failure = await mailTo('wrong-secret')
      .send(sent)
      .then(
        () => undefined,
        (error: Error) => error,
      );
    expect(failure?.message).toMatch(/Refused/);
    expect(failure?.message).not.toMatch(/secret/);
  });
});

describe('the timestamp authority', () => {
  const [key, certificate, settings] = ['tsa.key', 'tsa.crt', 'tsa.cnf'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const openssl = (...options: readonly string[]) => execFileSync('openssl', options, { stdio: 'pipe' });
  const reply = (query: Buffer, digests = 'sha256') => {
    writeFileSync(join(folder, 'query'), query);
    writeFileSync(
      settings,
      `[tsa]\ndefault_tsa=one\n[one]\nserial=${folder}/serial\nsigner_cert=${certificate}\ncerts=${certificate}\n` +
        `signer_key=${key}\nsigner_digest=sha256\ndefault_policy=1.2.3.4\ndigests=${digests}\ness_cert_id_alg=sha256\n`,
    );
    openssl('ts', '-reply', '-config', settings, '-queryfile', join(folder, 'query'), '-out', join(folder, 'reply'));
    return readFileSync(join(folder, 'reply'));
  };
  const replies: Buffer[] = [];
  let answer: (query: Buffer) => Answer = () => ({});
  let url = '';
  beforeAll(async () => {
    openssl(
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate, '-days', '2'],
      ...['-subj', '/CN=Authority', '-addext', 'extendedKeyUsage=critical,timeStamping'],
    );
    url = await serve(({ body }) => answer(body));
  });
  const timestamps = () => timestampWitness(`${url}/tsa`);
  const answering = (body: Buffer) => ({ headers: { 'content-type': 'application/timestamp-reply' }, body });

  test('signs the note with its time, which `openssl ts -verify` confirms', async () => {
    answer = (query) => {
      replies.push(reply(query));
      return answering(replies.at(-1) as Buffer);
    };
    const receipt = Buffer.from(await timestamps().send(sent), 'base64');
    expect(receipt).toEqual(replies[0]);
    const [token, data] = [join(folder, 'token.tsr'), join(folder, 'note.txt')];
    writeFileSync(token, receipt);
    writeFileSync(data, note);
    const verified = openssl('ts', '-verify', '-in', token, '-data', data, '-CAfile', certificate);
    expect(String(verified)).toMatch(/Verification: OK|^$/);
    writeFileSync(data, `${note} `);
    expect(() => openssl('ts', '-verify', '-in', token, '-data', data, '-CAfile', certificate)).toThrow(/imprint/);
  });

  test('is not believed when it repeats an earlier answer', async () => {
    answer = () => answering(replies[0] as Buffer);
    await expect(timestamps().send(sent)).rejects.toThrow(/nonce differs/);
    await expect(timestamps().send({ ...sent, note: `${note}changed` })).rejects.toThrow(/another note/);
  });

  test('is not believed when it refuses, or answers something else', async () => {
    answer = (query) => answering(reply(query, 'sha512'));
    await expect(timestamps().send(sent)).rejects.toThrow(/refused the request with status 2/);
    answer = () => answering(Buffer.from('<html>'));
    await expect(timestamps().send(sent)).rejects.toThrow(/not a timestamp response/);
    answer = () => ({ status: 503 });
    await expect(timestamps().send(sent)).rejects.toThrow(/answered 503/);
  });
});
