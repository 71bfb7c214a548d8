import { execFileSync } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findNotes } from '../proof/find-notes.ts';
import { bucketWitness } from './lock-in-bucket.ts';
import { endpointWitness } from './post-note.ts';
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

/** An HTTP server that answers each request with what `answer` returns. */
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

describe('the bucket with object lock', () => {
  const asked: Asked[] = [];
  let answer: Answer = { headers: { 'x-amz-version-id': 'v1' } };
  let url = '';
  beforeAll(async () => {
    url = await serve((request) => {
      asked.push(request);
      return answer;
    });
  });
  const bucket = () =>
    bucketWitness({ url: `${url}/notes/`, region: 'eu-test-1', keyId: 'KEY', secretKey: 'secret', keepDays: 30 });

  test('gets the note with a lock, a checksum and a signature over both', async () => {
    const before = Date.now();
    expect(await bucket().send(sent)).toMatch(/^checkpoint-00000012\.txt version v1 locked until /);
    const [request] = asked;
    if (request === undefined) throw new Error('Nothing was sent');
    const { headers } = request;
    expect(request).toMatchObject({ method: 'PUT', url: '/notes/checkpoint-00000012.txt' });
    expect(request.body.toString()).toBe(note);
    expect(headers['x-amz-object-lock-mode']).toBe('COMPLIANCE');
    const keepMs = Date.parse(String(headers['x-amz-object-lock-retain-until-date'])) - before;
    expect(Math.round(keepMs / 86_400_000)).toBe(30);
    expect(headers['x-amz-checksum-sha256']).toBe(createHash('sha256').update(note).digest('base64'));
    expect(headers['x-amz-content-sha256']).toBe(createHash('sha256').update(note).digest('hex'));
    expect(headers.authorization).toBe(signatureOf(request));
  });

  test('is not believed when it keeps no versions, or refuses', async () => {
    answer = {};
    await expect(bucket().send(sent)).rejects.toThrow(/keeps no versions/);
    answer = { status: 403, body: '<Error>secret</Error>' };
    await expect(bucket().send(sent)).rejects.toThrow(/^The witness answered 403\.$/);
  });
});

/** Signature version 4 as the documentation of S3 describes it, for the headers that the request says are signed. */
function signatureOf({ method, url, headers }: Asked): string {
  const names = /SignedHeaders=([^,]+)/.exec(String(headers.authorization))?.[1] ?? '';
  for (const name of ['host', 'x-amz-date', 'x-amz-object-lock-mode', 'x-amz-object-lock-retain-until-date']) {
    expect(names.split(';')).toContain(name);
  }
  const lines = names.split(';').map((name) => `${name}:${String(headers[name])}\n`);
  const canonical = [method, url, '', lines.join(''), names, headers['x-amz-content-sha256']].join('\n');
  const at = String(headers['x-amz-date']);
  const scope = `${at.slice(0, 8)}/eu-test-1/s3/aws4_request`;
  const digest = createHash('sha256').update(canonical).digest('hex');
  const key = scope
    .split('/')
    .reduce<Buffer>((last, part) => createHmac('sha256', last).update(part).digest(), Buffer.from('AWS4secret'));
  const signature = createHmac('sha256', key).update(['AWS4-HMAC-SHA256', at, scope, digest].join('\n')).digest('hex');
  return `AWS4-HMAC-SHA256 Credential=KEY/${scope}, SignedHeaders=${names}, Signature=${signature}`;
}

describe('the endpoint', () => {
  test('gets the note as text, with its token', async () => {
    const asked: Asked[] = [];
    const url = await serve((request) => {
      asked.push(request);
      return { status: 201, body: 'kept as 4711' };
    });
    const witness = endpointWitness({ url: `${url}/notes`, token: 'hush' });
    expect(await witness.send(sent)).toBe('201 kept as 4711');
    expect(asked[0]).toMatchObject({ method: 'POST', url: '/notes', headers: { authorization: 'Bearer hush' } });
    expect(asked[0]?.body.toString()).toBe(note);
  });

  test('is not believed when it redirects or fails', async () => {
    const url = await serve(({ url: path }) =>
      path === '/' ? { status: 302, headers: { location: '/elsewhere' } } : { status: 500 },
    );
    await expect(endpointWitness({ url, token: undefined }).send(sent)).rejects.toThrow();
    await expect(endpointWitness({ url: `${url}/x`, token: undefined }).send(sent)).rejects.toThrow(/answered 500/);
  });
});
