import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Day } from '@kilim/domain/day';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { settled } from '@kilim/lab/testing/settled';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { payloadColumns } from './event-log.ts';
import { exportKinds } from './kinds.ts';
import { openScope } from './scope.ts';

const { appSql, ownerSql } = await testDatabase();

const day = '2026-10-05' as Day;

/** PostgreSQL's texts hold every character but zero. */
const text = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('=1+1', '-1', '＠SUM(1)', 'a,b', 'say "so"', 'two\r\nlines', '\\.'),
  )
  .map((value) => value.replaceAll('\0', '').replaceAll('\u001f', ''));
const key = fc.constantFrom(...Object.values(payloadColumns).flat());
const awkwardEvent = fc.record({
  actor: text,
  refundId: fc.option(text),
  amountCents: fc.option(fc.maxSafeInteger()),
  /** With or without white space. */
  payload: fc
    .tuple(fc.dictionary(key, fc.oneof(text, fc.jsonValue())), fc.constantFrom(undefined, 1))
    .map(([fields, space]) => JSON.stringify(fields, undefined, space)),
});

async function read(format: 'csv' | 'jsonl'): Promise<string> {
  const scope = await openScope(appSql, 'UTC', { from: day, to: day });
  let file = '';
  for await (const piece of exportKinds[format].pieces(appSql, { scope })) file += piece;
  return file;
}

/** PostgreSQL reads the file; it knows nothing of how the server writes one. */
async function readCsv(file: string): Promise<readonly Record<string, string>[]> {
  const columns = file.slice(0, file.indexOf('\r\n')).split(',');
  await ownerSql.unsafe(`create table public.read_back (${columns.map((name) => `${name} text`).join(', ')})`);
  const copied = await ownerSql`copy public.read_back from stdin (format csv, header, null 'no such text')`.writable();
  await pipeline(Readable.from([Buffer.from(file)]), copied);
  return await ownerSql<Record<string, string>[]>`select * from public.read_back order by position::bigint`;
}

const harmless = (value: string) => (/^[=+\-@\t\r＝＋－＠]/.test(value) ? `'${value}` : value);
const dollars = (amount: number) => `${amount < 0 ? '-' : ''}${BigInt(Math.abs(amount)) / 100n}`;

test('both forms of the event log hold any text as other programs read it', async () => {
  const events = fc.sample(awkwardEvent, 300);
  for (const [index, { actor, refundId, amountCents, payload }] of events.entries()) {
    await ownerSql`
      insert into ledger.event (stream_id, version, command_id, type, schema_version, refund_id, amount_cents, actor,
        occurred_at, payload, previous_hash, hash)
      values (${`order-${index}`}, 1, 'made-up', 'SomethingNew', 1, ${refundId}, ${amountCents}::bigint, ${actor},
        '2026-10-05T12:00:00.00001Z', ${payload}::text::json, '', '')`;
  }
  await settled(ownerSql);
  const rows = await readCsv(await read('csv'));
  const lines = (await read('jsonl')).split(/(?<=\})\n(?=\{"position"|$)/).slice(0, -1);
  expect([rows.length, lines.length]).toEqual([events.length, events.length]);
  for (const [index, { actor, refundId, amountCents, payload }] of events.entries()) {
    const fields = JSON.parse(payload) as Record<string, unknown>;
    const found = (keys: readonly string[]) =>
      harmless(
        String(keys.map((name) => fields[name]).find((value) => typeof value === 'string' && value !== '') ?? ''),
      );
    const said = { order_id: String(index), occurred_at: '2026-10-05T12:00:00.00001Z' };
    expect(rows[index]).toMatchObject({
      ...said,
      actor: harmless(actor),
      refund_id: harmless(refundId ?? ''),
      payment_id: found(payloadColumns.paymentId),
      square_id: found(payloadColumns.squareId),
      square_at: found(payloadColumns.squareAt),
      reason: found(payloadColumns.reason),
    });
    expect(rows[index]?.['amount']?.replace(/\.\d\d$/, '')).toBe(amountCents === null ? '' : dollars(amountCents));
    const line = lines[index] ?? '';
    expect(JSON.parse(line)).toMatchObject({
      actor,
      refundId,
      amountCents,
      payload: fields,
      postedOn: day,
      late: false,
    });
    expect(line.endsWith(`,"payload":${payload}}`)).toBe(true);
  }
});
