import { testDatabase } from '@kilim/lab/testing/postgres';
import { afterAll, expect, test } from 'vitest';
import { connect } from '../database.ts';
import { openRow, readInteger, readText } from './copied-row.ts';
import { copyOut } from './copy-out.ts';
import { appendInstant } from './instant.ts';
import { appendHex, appendId, appendInteger, appendValue, createTextBytes, makeRoom } from './text-bytes.ts';

const { url } = await testDatabase();
const sql = connect({ url, max: 1, applicationName: 'kilim test copy' });
afterAll(() => sql.end());

async function read(statement: string): Promise<readonly Buffer[]> {
  const all: Buffer[] = [];
  await copyOut(sql, `copy (${statement}) to stdout (format binary)`, (row) => void all.push(row));
  return all;
}

const microsecondsTo2000 = 946_684_800_000_000;

/** A value as this folder writes it, and the text that PostgreSQL makes of it. */
async function bothTexts(
  value: string,
  expected: string,
  append: typeof appendValue,
): Promise<readonly [string, string]> {
  const [bytes = Buffer.alloc(0)] = await read(`select ${value}, (${expected})::text`);
  const row = openRow(bytes, 2);
  const text = createTextBytes(0);
  makeRoom(text, 1000);
  append(text, row);
  return [text.buffer.toString('utf8', 0, text.length), readText(row)];
}

test.each([
  '0::smallint',
  '-7::smallint',
  '2147483647',
  '99999999::bigint',
  '100000000::bigint',
  '9007199254740991::bigint',
  '9007199254740993::bigint',
  "'-9223372036854775808'::bigint",
  '4294967296::text::xid8',
  'null::bigint',
])('%s is written as PostgreSQL writes it', async (value) => {
  const [ours, theirs] = await bothTexts(
    value,
    `coalesce((${value})::text, '')`,
    (text, row) => void appendInteger(text, row, 0),
  );
  expect(ours).toBe(theirs);
});

test.each(['1970-01-01', '1969-12-31 23:59:59.999999', '2026-11-21 12:00:00.000001', '2300-01-01', '290000-01-01'])(
  'the microseconds of %s since 1970 are those that are hashed',
  async (instant) => {
    const value = `'${instant}+00'::timestamptz`;
    const [ours, theirs] = await bothTexts(
      value,
      `(extract(epoch from ${value}) * 1000000)::bigint`,
      (text, row) => void appendInteger(text, row, microsecondsTo2000),
    );
    expect(ours).toBe(theirs);
  },
);

test.each([
  '2026-11-21 15:07:56.123',
  '2026-11-21 00:00:00',
  '2026-11-20 23:59:59.999999',
  '1999-12-31 23:59:59.5',
  '2024-02-29 01:02:03.00001',
])('the instant %s is written in ISO 8601, with no more digits than it has', async (instant) => {
  const value = `'${instant}+00'::timestamptz`;
  const [ours] = await bothTexts(value, value, (text, row) => appendInstant(text, readInteger(row) ?? 0));
  expect(ours).toBe(`${instant.replace(' ', 'T')}Z`);
});

test.each([
  ["'018bf867-4780-7453-a0e1-55d05857f353'::uuid", appendId],
  ["'\\x00ff10'::bytea", appendHex],
  ["'Kırk \t毯 \\ \n'", appendValue],
  [`'${'long '.repeat(100)}'`, appendValue],
  ["''", appendValue],
] as const)('%s is written as it is', async (value, append: typeof appendValue) => {
  const [ours, theirs] = await bothTexts(value, value.endsWith('bytea') ? `encode(${value}, 'hex')` : value, append);
  expect(ours).toBe(theirs);
});

test('rows arrive complete and in order, also if there are none', async () => {
  const rows = await read('select n, repeat(n::text, 500) from generate_series(1, 5000) n order by n');
  expect(rows.map((bytes) => readInteger(openRow(bytes, 2)))).toEqual(Array.from({ length: 5000 }, (_, n) => n + 1));
  expect(await read('select 1 where false')).toEqual([]);
});

test('an error during the copy is thrown, and the connection can be used afterwards', async () => {
  await expect(read('select 1 / (3000 - n) from generate_series(1, 5000) n')).rejects.toThrow('division by zero');
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
});

test('an error of the reader is thrown, and the connection can be used afterwards', async () => {
  let taken = 0;
  const reading = copyOut(sql, 'copy (select n from generate_series(1, 100000) n) to stdout (format binary)', () => {
    taken += 1;
    if (taken === 3) throw new Error('no more');
  });
  await expect(reading).rejects.toThrow('no more');
  expect(taken).toBe(3);
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
});
