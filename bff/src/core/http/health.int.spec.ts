import { once } from 'node:events';
import { connect } from 'node:net';
import { cloneDatabase, testDatabase } from '@kilim/lab/testing/postgres';
import { openShop } from '@kilim/lab/testing/shop';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';

const { appSql } = await testDatabase();
const shop = await openShop(appSql, { isToldBySquare: true });
afterAll(shop.close);

/** @returns the beginning of the answer. */
async function send(head: string): Promise<string> {
  const socket = connect(Number(new URL(shop.listeningUrl ?? '').port), '127.0.0.1');
  let answer = '';
  socket.on('data', (bytes) => (answer += bytes.toString()));
  socket.write(`${head}\r\n\r\n`);
  // HTTP/1.1 keeps the connection open.
  await once(socket, 'data');
  socket.destroy();
  return answer;
}

describe.each(['/healthz', '/readyz'])('%s', (path) => {
  test.each([
    ['HTTP/1.0 without Host, as haproxy sends it', `GET ${path} HTTP/1.0`],
    ['HTTP/1.1 without Host', `GET ${path} HTTP/1.1`],
    ['an empty Host', `GET ${path} HTTP/1.1\r\nhost:`],
    ['the address of a machine as Host', `GET ${path} HTTP/1.1\r\nhost: 10.0.0.7:8080`],
    ['a Host that is no host', `GET ${path} HTTP/1.1\r\nhost: a b/c`],
    ['a query', `GET ${path}?from=haproxy HTTP/1.0`],
    ['HEAD', `HEAD ${path} HTTP/1.0`],
    ["OPTIONS, the method of haproxy's `option httpchk` with a path only", `OPTIONS ${path} HTTP/1.0`],
  ])('answers 200 to %s', async (_, head) => {
    expect(await send(head)).toMatch(/^HTTP\/1\.1 200 /);
  });
});

test.each(['GET / HTTP/1.0', 'GET / HTTP/1.1', 'GET /api/config HTTP/1.1\r\nhost: a b'])(
  'any other path still needs a valid Host: %j',
  async (head) => {
    expect(await send(head)).toMatch(/^HTTP\/1\.1 400 /);
  },
);

test('the log has failed probes, and successful ones at the level debug only', async () => {
  const database = await cloneDatabase();
  onTestFinished(database.drop);
  const other = await openShop(database.appSql);
  onTestFinished(other.close);
  const levels = () =>
    other.logged
      .map((line) => JSON.parse(line) as { readonly level: string; readonly route?: string })
      .filter(({ route }) => route === '/readyz')
      .map(({ level }) => level);
  await other.get('/readyz');
  expect(new Set(levels())).toEqual(new Set(['debug']));
  await database.appSql.end();
  expect((await other.get('/readyz')).status).toBe(503);
  expect(levels().at(-1)).toBe('error');
});
