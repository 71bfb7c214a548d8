import { createServer, connect as dial } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { until } from '@kilim/lab/testing/patience';
import { blankDatabase } from '@kilim/lab/testing/postgres';
import { afterAll, expect, test } from 'vitest';
import { connect, type Sql } from '../database.ts';
import { repeatWhileAway } from '../repeat-while-away.ts';

const database = await blankDatabase();
const { sql: owner, url } = database;
const sql = connect({ url, max: 1, applicationName: 'invalid statements spec' });
afterAll(async () => {
  await sql.end();
  await database.drop();
});

test('every statement gets its own answer while the result of another prepared statement changes', async () => {
  await owner`create table shelf as select id, repeat('x', id) as name from generate_series(1, 50) id`;
  let isOver = false;
  let answers = 0;
  const wrong: unknown[] = [];
  const readShelf = async () => {
    for (let id = 1; !isOver; id = (id % 50) + 1) {
      const rows = await repeatWhileAway(() => sql`select * from shelf where id = ${id} and ${true}::boolean`);
      answers += 1;
      if (rows.length !== 1 || rows[0]?.['id'] !== id) wrong.push({ wanted: id, rows: [...rows] });
    }
  };
  const count = async (start: number) => {
    for (let number = start; !isOver; number += 10) {
      const rows = await repeatWhileAway(() => sql`select ${number}::int as number, ${'a'}::text as letter`);
      answers += 1;
      if (rows.length !== 1 || rows[0]?.['number'] !== number) wrong.push({ wanted: number, rows: [...rows] });
    }
  };
  const moreAnswers = async () => {
    const before = answers;
    await until('statements are answered', () => answers >= before + 50);
  };
  const running = Promise.all([readShelf(), readShelf(), ...[1, 2, 3, 4].map(count)]);
  for (const column of ['first', 'second', 'third', 'fourth', 'fifth']) {
    await moreAnswers();
    await owner`alter table shelf add ${owner(column)} text`;
  }
  await moreAnswers();
  isOver = true;
  await running;
  expect(wrong).toEqual([]);
});

/** The session forgets it between two executions. */
async function executeForgotten(connected: Sql) {
  const read = async () => (await connected`select ${true}::boolean as yes, ${Buffer.from('ab')}::bytea as bytes`)[0];
  const before = await read();
  await connected.unsafe('deallocate all');
  return { before, after: await repeatWhileAway(read) };
}

test('a prepared statement that the session has forgotten is answered again with the same parameters', async () => {
  const { before, after } = await executeForgotten(sql);
  expect(after).toEqual(before);
});

test('so is one whose error arrives in pieces', async () => {
  const proxy = await openProxyInPieces(url, 20);
  const slow = connect({ url: proxy.url, max: 1, applicationName: 'pieces spec' });
  const { before, after } = await executeForgotten(slow);
  expect(after).toEqual(before);
  await slow.end();
  proxy.close();
});

/** Each piece later than the one before. */
async function openProxyInPieces(databaseUrl: string, pieceBytes: number) {
  const { hostname, port } = new URL(databaseUrl);
  const proxy = createServer((client) => {
    const upstream = dial(Number(port), hostname);
    const forward = async () => {
      for await (const bytes of upstream as AsyncIterable<Buffer>) {
        for (let at = 0; at < bytes.length; at += pieceBytes) {
          client.write(bytes.subarray(at, at + pieceBytes));
          await setTimeout(1);
        }
      }
    };
    client.setNoDelay(true).on('error', () => upstream.destroy());
    client.pipe(upstream);
    void forward().catch(() => undefined);
  });
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
  const address = proxy.address();
  const own = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: Object.assign(new URL(databaseUrl), { hostname: '127.0.0.1', port: String(own) }).href,
    close: () => proxy.close(),
  };
}
