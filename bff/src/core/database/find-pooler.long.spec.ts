import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { expect, onTestFinished, test } from 'vitest';
import { refuseWrongSession } from '../../start/check/check-session.ts';
import { connect as connectPool } from './database.ts';
import { findPooler } from './find-pooler.ts';
import { checkDatabase } from './require-database.ts';

const { url } = await testDatabase();

/** Answers no connection before this one. */
async function answersFrom(first: number): Promise<string> {
  const { hostname, port } = new URL(url);
  let connections = 0;
  const server = createServer((client) => {
    client.on('error', () => undefined);
    connections += 1;
    if (connections < first) return;
    const database = connect(Number(port), hostname).on('error', () => undefined);
    client.pipe(database).pipe(client);
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address() as AddressInfo;
  return Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(address.port) }).href;
}

test('a first connection that takes too long is tried again, four times', async () => {
  const place = { variable: 'DATABASE_URL', url: await answersFrom(3) } as const;
  const fast = { connectTimeoutSeconds: 0.5 };
  expect(await findPooler(place, fast)).toEqual(place);
  const silent = { variable: 'DATABASE_URL', url: await answersFrom(99) } as const;
  await expect(findPooler(silent, { connectTimeoutSeconds: 0.1 })).rejects.toThrow(
    /^DATABASE_URL: .* does not answer \(CONNECT_TIMEOUT\)/,
  );
});

test('the first check of a pool waits as long', async () => {
  const own = { max: 1, applicationName: 'kilim test', connectTimeoutSeconds: 0.5 };
  const sql = connectPool({ url: await answersFrom(3), ...own });
  onTestFinished(() => sql.end());
  await expect(refuseWrongSession(sql, { variable: 'DATABASE_URL' })).resolves.toBeUndefined();
  const place = { variable: 'DATABASE_URL', url: await answersFrom(3) } as const;
  const other = connectPool({ url: place.url, ...own });
  onTestFinished(() => other.end());
  expect(await checkDatabase(other, place)).toEqual([]);
});
