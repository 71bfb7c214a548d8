import { setTimeout } from 'node:timers/promises';
import { afterAll, expect, inject, test } from 'vitest';
import { blankDatabase } from '../../../testing/postgres.ts';
import { connect } from '../database.ts';
import { repeatWhileAway } from '../repeat-while-away.ts';

const database = await blankDatabase(inject('postgresAdminUrl'));
const { sql: owner, url } = database;
const sql = connect({ url, max: 1, applicationName: 'invalid statements spec' });
afterAll(async () => {
  await sql.end();
  await database.drop();
});

test('every statement gets its own answer while the result of another prepared statement changes', async () => {
  await owner`create table shelf as select id, repeat('x', id) as name from generate_series(1, 50) id`;
  let isOver = false;
  const wrong: unknown[] = [];
  const readShelf = async () => {
    for (let id = 1; !isOver; id = (id % 50) + 1) {
      const rows = await repeatWhileAway(() => sql`select * from shelf where id = ${id} and ${true}::boolean`);
      if (rows.length !== 1 || rows[0]?.['id'] !== id) wrong.push({ wanted: id, rows: [...rows] });
    }
  };
  const count = async (start: number) => {
    for (let number = start; !isOver; number += 10) {
      const rows = await repeatWhileAway(() => sql`select ${number}::int as number, ${'a'}::text as letter`);
      if (rows.length !== 1 || rows[0]?.['number'] !== number) wrong.push({ wanted: number, rows: [...rows] });
    }
  };
  const running = Promise.all([readShelf(), readShelf(), ...[1, 2, 3, 4].map(count)]);
  for (const column of ['first', 'second', 'third', 'fourth', 'fifth']) {
    await setTimeout(60);
    await owner`alter table shelf add ${owner(column)} text`;
  }
  await setTimeout(60);
  isOver = true;
  await running;
  expect(wrong).toEqual([]);
});

test('a prepared statement that the session has forgotten is answered again with the same parameters', async () => {
  const read = () => sql`select ${true}::boolean as yes, ${Buffer.from('ab')}::bytea as bytes`;
  const [before] = await read();
  await sql.unsafe('deallocate all');
  expect(await repeatWhileAway(async () => (await read())[0])).toEqual(before);
});
