import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, connect as dialTcp, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates, TLSSocket } from 'node:tls';
import { openBrokenNetwork } from '@kilim/lab/testing/broken-network';
import { selfSignedCertificate } from '@kilim/lab/testing/certificate';
import { postgresOfWorker } from '@kilim/lab/testing/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect, type Sql } from '../../database.ts';
import { isDatabaseAway } from '../../failures.ts';
import { repeatWhileAway } from '../../repeat-while-away.ts';

const databaseUrl = postgresOfWorker();
const trusted = selfSignedCertificate(['localhost', '127.0.0.1']);
const usual = getCACertificates('default');
beforeAll(() => setDefaultCACertificates([...usual, trusted.cert]));
afterAll(() => setDefaultCACertificates(usual));

type Certificate = ReturnType<typeof selfSignedCertificate>;

/** The proxy offers TLS with this certificate, at this host name. */
async function openEncrypted({ query, ...options }: { query: string; certificate?: Certificate; host?: string }) {
  const network = await openBrokenNetwork({ databaseUrl, certificate: trusted, ...options });
  const url = new URL(network.url);
  url.hostname = options.host ?? 'localhost';
  const sql = connect({ url: `${url.href}?${query}`, max: 2, applicationName: 'tls spec', statementTimeoutSeconds: 1 });
  return { sql, network, [Symbol.asyncDispose]: () => close(sql, network) };
}

async function close(sql: Sql, ...networks: readonly { close: () => Promise<void> }[]): Promise<void> {
  await sql.end({ timeout: 1 });
  for (const network of networks) await network.close();
}

const one = (sql: Sql) => sql<{ one: number }[]>`select 1 as one`;

test.each([
  'sslmode=require',
  'sslmode=prefer',
  'ssl=require',
  'sslmode=verify-full',
  'sslmode=verify-full&sslrootcert=system',
])('with %s a connection is encrypted, and the pool recovers from a reset', async (query) => {
  await using pool = await openEncrypted({ query });
  const { sql, network } = pool;
  expect(await one(sql)).toEqual([{ one: 1 }]);
  expect(network.encrypted()).toBe(1);
  const asked = sql`select pg_sleep(5)`.then(
    () => undefined,
    () => repeatWhileAway(() => one(sql)),
  );
  await setTimeout(100);
  network.reset();
  expect(await asked).toEqual([{ one: 1 }]);
  network.swallow();
  await expect(one(sql)).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  expect(await one(sql)).toEqual([{ one: 1 }]);
  expect(network.connections()).toBe(network.encrypted());
});

const stranger = selfSignedCertificate(['localhost']);
const trustedElsewhere = selfSignedCertificate(['elsewhere.example']);

test('require and prefer accept any certificate', async () => {
  for (const query of ['sslmode=require', 'sslmode=prefer']) {
    await using pool = await openEncrypted({ query, certificate: stranger });
    expect(await one(pool.sql)).toEqual([{ one: 1 }]);
  }
});

test('verify-full rejects an untrusted certificate and one for another host', async () => {
  setDefaultCACertificates([...usual, trusted.cert, trustedElsewhere.cert]);
  await using unknown = await openEncrypted({ query: 'sslmode=verify-full', certificate: stranger });
  await expect(one(unknown.sql)).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  await using misnamed = await openEncrypted({ query: 'sslmode=verify-full', certificate: trustedElsewhere });
  await expect(one(misnamed.sql)).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  await using byNumber = await openEncrypted({ query: 'sslmode=verify-full', host: '127.0.0.1' });
  expect(await one(byNumber.sql)).toEqual([{ one: 1 }]);
});

describe('a file of authorities', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kilim-tls-'));
  const save = (name: string, { cert }: Certificate) => {
    writeFileSync(join(folder, name), cert);
    return encodeURIComponent(join(folder, name));
  };
  afterAll(() => rmSync(folder, { recursive: true }));
  const [file, elsewhere] = [save('stranger.pem', stranger), save('elsewhere.pem', trustedElsewhere)];

  test.each([
    [`sslmode=verify-full&sslrootcert=${file}`, stranger],
    [`sslmode=require&sslrootcert=${file}`, stranger],
    [`sslmode=verify-ca&sslrootcert=${elsewhere}`, trustedElsewhere],
  ])('with %s its servers are trusted', async (query, certificate) => {
    await using pool = await openEncrypted({ query, certificate });
    expect(await one(pool.sql)).toEqual([{ one: 1 }]);
  });

  test.each([
    [`sslmode=verify-full&sslrootcert=${elsewhere}`, trustedElsewhere, 'ERR_TLS_CERT_ALTNAME_INVALID'],
    [`sslmode=require&sslrootcert=${file}`, trusted, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['sslmode=require&channel_binding=require', stranger, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['sslmode=verify-full&sslrootcert=/nowhere/root.pem', stranger, 'TLS_FILE_UNREADABLE'],
  ])('with %s no other server is trusted', async (query, certificate, code) => {
    await using pool = await openEncrypted({ query, certificate });
    await expect(one(pool.sql)).rejects.toMatchObject({ code });
  });
});

test('sslcert and sslkey are shown to a server that asks for a certificate', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kilim-client-'));
  const [cert, key] = [join(folder, 'client.pem'), join(folder, 'client.key')];
  const client = selfSignedCertificate(['kilim.client']);
  writeFileSync(cert, client.cert);
  writeFileSync(key, client.key);
  const shown = Promise.withResolvers<unknown>();
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write('S');
      const secured = new TLSSocket(socket, {
        isServer: true,
        ...trusted,
        requestCert: true,
        rejectUnauthorized: false,
      });
      secured
        .on('error', () => undefined)
        .once('secure', () => {
          shown.resolve(secured.getPeerCertificate().subject.CN);
          secured.destroy();
        });
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const query = `sslmode=require&sslcert=${cert}&sslkey=${key}`;
  const sql = connect({ url: `postgres://a@127.0.0.1:${port}/b?${query}`, max: 1, applicationName: 'tls spec' });
  await expect(one(sql)).rejects.toThrow();
  expect(await shown.promise).toBe('kilim.client');
  await sql.end({ timeout: 1 });
  server.close();
  rmSync(folder, { recursive: true });
});

test('without TLS at the server, prefer continues unencrypted and require fails', async () => {
  const preferring = connect({ url: `${databaseUrl}?sslmode=prefer`, max: 1, applicationName: 'tls spec' });
  expect(await one(preferring)).toEqual([{ one: 1 }]);
  await preferring.end();
  const requiring = connect({ url: `${databaseUrl}?sslmode=require`, max: 1, applicationName: 'tls spec' });
  await expect(one(requiring)).rejects.toMatchObject({ code: 'TLS_NOT_OFFERED' });
  await requiring.end();
});

test('a host that is a folder leads to the socket in it, and one in brackets to an IPv6 address', async () => {
  const { username, password, pathname, hostname, port } = new URL(databaseUrl);
  const relay = (client: Socket) => {
    void pipeline(client, dialTcp(Number(port), hostname), client).catch(() => undefined);
  };
  const folder = mkdtempSync(join(tmpdir(), 'project:region:'));
  const bySocket = createServer(relay).listen(join(folder, '.s.PGSQL.5432'));
  const byNumber = createServer(relay).listen(0, '::1');
  await once(byNumber, 'listening');
  const { port: bound } = byNumber.address() as AddressInfo;
  for (const address of [
    `@${pathname}?host=${folder}`,
    `@${encodeURIComponent(folder)}${pathname}`,
    `@[::1]:${bound}${pathname}`,
  ]) {
    const sql = connect({ url: `postgres://${username}:${password}${address}`, max: 1, applicationName: 'hosts spec' });
    expect(await one(sql)).toEqual([{ one: 1 }]);
    await sql.end();
  }
  for (const server of [bySocket, byNumber]) server.close();
  rmSync(folder, { recursive: true });
});

function severalHosts(...urls: readonly string[]): string {
  const { username, password, pathname } = new URL(databaseUrl);
  return `postgres://${username}:${password}@${urls.map((url) => new URL(url).host).join(',')}${pathname}`;
}

test('when one of several hosts fails, the pool switches to the next and stays there', async () => {
  const first = await openBrokenNetwork({ databaseUrl });
  const second = await openBrokenNetwork({ databaseUrl });
  const url = severalHosts(first.url, second.url);
  const sql = connect({ url, max: 1, applicationName: 'hosts spec', statementTimeoutSeconds: 1 });
  expect(await one(sql)).toEqual([{ one: 1 }]);
  expect([first.connections(), second.connections()]).toEqual([1, 0]);
  await first.close();
  expect(await repeatWhileAway(() => one(sql))).toEqual([{ one: 1 }]);
  second.reset();
  expect(await repeatWhileAway(() => one(sql))).toEqual([{ one: 1 }]);
  expect(second.connections()).toBe(1);
  await close(sql, second);
});

test('a standby among several hosts is skipped without failing a statement, even if it reports to be a primary', async () => {
  const standby = await openBrokenNetwork({ databaseUrl, pretendsStandby: true });
  const primary = await openBrokenNetwork({ databaseUrl });
  const sql = connect({ url: severalHosts(standby.url, primary.url), max: 2, applicationName: 'hosts spec' });
  expect(await Promise.all([one(sql), one(sql)])).toEqual([[{ one: 1 }], [{ one: 1 }]]);
  expect([standby.connections(), primary.connections()]).toEqual([0, 2]);
  await close(sql, standby, primary);
});

test('a host whose connection breaks while it is asked for its kind is skipped, and nothing is left unhandled', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', note);
  const broken = await openBrokenNetwork({ databaseUrl, resetsWhenAsked: true });
  const primary = await openBrokenNetwork({ databaseUrl });
  const sql = connect({ url: severalHosts(broken.url, primary.url), max: 1, applicationName: 'hosts spec' });
  expect(await repeatWhileAway(() => one(sql))).toEqual([{ one: 1 }]);
  await setTimeout(50);
  expect(unhandled).toEqual([]);
  process.off('unhandledRejection', note);
  await close(sql, broken, primary);
});

test('a statement fails when all hosts are unreachable', async () => {
  const url = 'postgres://nobody@127.0.0.1:1,127.0.0.1:2/kilim';
  const sql = connect({ url, max: 1, applicationName: 'hosts spec' });
  const asked = one(sql).catch(isDatabaseAway);
  expect(await asked).toBe(true);
  await sql.end({ timeout: 1 });
});

test('a statement fails when no host has the wanted kind', async () => {
  const network = await openBrokenNetwork({ databaseUrl });
  const url = `${severalHosts(network.url, network.url)}?target_session_attrs=standby`;
  const sql = connect({ url, max: 1, applicationName: 'hosts spec' });
  const asked = one(sql).catch(isDatabaseAway);
  expect(await asked).toBe(true);
  await close(sql, network);
});

test('a server that closes every connection before it is ready counts as unreachable', async () => {
  const network = await openBrokenNetwork({ databaseUrl: 'postgres://nobody@127.0.0.1:1/kilim' });
  const sql = connect({ url: network.url, max: 1, applicationName: 'hosts spec' });
  const asked = one(sql).catch(isDatabaseAway);
  expect(await asked).toBe(true);
  await close(sql, network);
});
