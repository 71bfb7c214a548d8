import { testDatabase } from '@kilim/lab/testing/postgres';
import { afterAll, expect, test } from 'vitest';
import { connect } from '../database.ts';
import { readInteger } from './copied-row.ts';
import { type After, isAfter, readPages } from './event-pages.ts';

const { url, ownerSql } = await testDatabase();
const sql = connect({ url, max: 1, applicationName: 'kilim test pages' });
afterAll(() => sql.end());

const events = 9000;
// Inserted without the append function: one transaction has three rows, and positions do not follow
// transactions.
await ownerSql`
  insert into ledger.event (stream_id, version, xid, command_id, type, schema_version, actor, occurred_at, payload, previous_hash, hash)
  select 'admin-zoe', n, ((n * 7919) % 3000 + 10)::text::xid8, 'made-up', 'SomethingNew', 1, 'admin:ada', '2026-10-05T12:00:00Z', '{}', sha256('x'), sha256('x')
  from generate_series(1, ${events}::integer) n`;
const inOrder = (
  await ownerSql<{ version: number }[]>`select version from ledger.event order by epoch, xid, position`
).map(({ version }) => version);

function pagesOf(reader: Parameters<typeof readPages>[0], after?: After) {
  const request = {
    columns: ['version'],
    where: (from = after) => (from === undefined ? 'true' : isAfter(from)),
    after,
    rowsPerPage: 2000,
  };
  const page: number[] = [];
  return readPages(reader, request, {
    add: (row) => {
      for (let place = 0; place < 3; place += 1) readInteger(row);
      page.push(readInteger(row) ?? 0);
    },
    finish: () => page.splice(0),
  });
}

async function allOf(after?: After): Promise<readonly (readonly number[])[]> {
  return await sql.begin(async (reader) => {
    const pages: number[][] = [];
    for await (const page of pagesOf(reader, after)) pages.push(page);
    return pages;
  });
}

test('pages follow each other in ledger order, without a gap', async () => {
  const pages = await allOf();
  expect(pages.length).toBeGreaterThan(1);
  expect(pages.flat()).toEqual(inOrder);
});

test('a reader can continue after any event', async () => {
  const [place] = await ownerSql<After[]>`
    select epoch, xid::text, position from ledger.event
    order by event.epoch, event.xid, event.position offset 4321 limit 1`;
  const pages = await allOf(place);
  expect(pages.flat()).toEqual(inOrder.slice(4322));
});

test('a reader may stop early, and the connection can be used afterwards', async () => {
  await sql.begin(async (reader) => {
    for await (const page of pagesOf(reader)) if (page.length > 0) break;
    expect(await reader`select 1 as one`).toEqual([{ one: 1 }]);
  });
});
