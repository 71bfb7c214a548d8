import { cents } from '@kilim/domain/money';
import type { OrderEvent } from '@kilim/domain/order/events';
import type { OrderId } from '@kilim/domain/order/ids';
import { authorizedA, capturedA, orderAPlaced, type paymentA, startedA, totalA } from '@kilim/domain/testing/orders';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { v7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { type Append, append } from './append.ts';
import { beatEffect, closeEffect, readOpenEffects, releaseEffect, takeEffect } from './effects.ts';
import { sha256 } from './hash.ts';
import { summaryRow } from './projection-rows.ts';
import { type OrderStream, readOrder, summaryOf } from './read.ts';

const { appSql, ownerSql } = await testDatabase();
const noon = new Date('2026-11-21T12:00:00.000Z');

const newStream = (): OrderStream => ({ orderId: v7() as OrderId, version: 0, events: [] });

function command(events: Append['events'], more: Partial<Append> = {}): Append {
  const commandId = more.commandId ?? v7();
  return {
    commandId,
    requestHash: sha256(commandId),
    actor: 'customer',
    requestId: 'request-1',
    occurredAt: noon,
    events,
    ...more,
  };
}

/** Each order needs its own payment ids. */
function eventsFor(stream: OrderStream) {
  const paymentId = stream.orderId.replaceAll('-', '') as typeof paymentA;
  return {
    placed: { ...orderAPlaced, orderId: stream.orderId } as OrderEvent,
    started: { ...startedA, paymentId },
    authorized: { ...authorizedA, paymentId },
    captured: { ...capturedA, paymentId },
  };
}

async function placedOrder(): Promise<OrderStream> {
  const stream = newStream();
  const { placed, started } = eventsFor(stream);
  const result = await append(appSql, stream, command([placed, started]));
  if (result.outcome !== 'appended') throw new Error(`Not appended: ${result.outcome}`);
  return result.stream;
}

describe('appending', () => {
  test('appended events are read back unchanged', async () => {
    const stream = newStream();
    const { placed, started, authorized, captured } = eventsFor(stream);
    const first = await append(appSql, stream, command([placed, started]));
    expect(first).toMatchObject({ outcome: 'appended', stream: { version: 2 } });
    if (first.outcome !== 'appended') return;
    const second = await append(appSql, first.stream, command([authorized, captured]));
    const read = await readOrder(appSql, stream.orderId);
    expect(read.events.map(({ event }) => event)).toEqual([placed, started, authorized, captured]);
    expect(second).toEqual({ outcome: 'appended', stream: read });
  });

  test('the typed columns equal the payload', async () => {
    const { orderId } = await placedOrder();
    const rows = await ownerSql`
      select version, type, schema_version, amount_cents, currency, actor, request_id, occurred_at, payload::jsonb as payload
      from ledger.event where stream_id = ${`order-${orderId}`} order by version`;
    expect(rows.map((row) => ({ ...row, payload: undefined }))).toEqual([
      {
        version: 1,
        type: 'OrderPlaced',
        schema_version: 1,
        amount_cents: 75_822,
        currency: 'USD',
        actor: 'customer',
        request_id: 'request-1',
        occurred_at: noon,
        payload: undefined,
      },
      {
        version: 2,
        type: 'PaymentStarted',
        schema_version: 1,
        amount_cents: 75_822,
        currency: 'USD',
        actor: 'customer',
        request_id: 'request-1',
        occurred_at: noon,
        payload: undefined,
      },
    ]);
    expect(rows[0]?.['payload']).toMatchObject({ total: 75_822 });
  });

  test('the row of the order is the fold of its stream', async () => {
    const stream = await placedOrder();
    const [row] = await ownerSql`select * from ledger.order_summary where order_id = ${stream.orderId}`;
    const summary = summaryOf((await readOrder(appSql, stream.orderId)).events);
    if (summary === undefined) throw new Error('no summary');
    expect({
      ...row,
      placed_at: row?.['placed_at'].toISOString(),
      updated_at: row?.['updated_at'].toISOString(),
    }).toEqual({
      ...summaryRow(summary),
      refundable_cents: 0,
      refund_status: 'none',
    });
  });

  test('a repeated command records nothing and learns where it was recorded', async () => {
    const stream = newStream();
    const { placed, started } = eventsFor(stream);
    const once = command([placed, started]);
    await append(appSql, stream, once);
    expect(await append(appSql, stream, once)).toEqual({ outcome: 'duplicate', streamId: `order-${stream.orderId}` });
    expect((await readOrder(appSql, stream.orderId)).version).toBe(2);
  });

  test('a repeated command for a new order leaves no trace of that order', async () => {
    const first = newStream();
    const once = command([eventsFor(first).placed]);
    await append(appSql, first, once);
    const second = newStream();
    const again = { ...once, events: [eventsFor(second).placed] as const };
    expect(await append(appSql, second, again)).toEqual({ outcome: 'duplicate', streamId: `order-${first.orderId}` });
    expect((await readOrder(appSql, second.orderId)).version).toBe(0);
    expect(await ownerSql`select from ledger.order_summary where order_id = ${second.orderId}`).toHaveLength(0);
  });

  test('another request under a used command id is refused', async () => {
    const stream = newStream();
    const once = command([eventsFor(stream).placed]);
    await append(appSql, stream, once);
    const other = { ...once, requestHash: sha256('something else') };
    expect(await append(appSql, stream, other)).toEqual({ outcome: 'key_reused' });
    const elsewhere = newStream();
    expect(await append(appSql, elsewhere, { ...other, events: [eventsFor(elsewhere).placed] })).toEqual({
      outcome: 'key_reused',
    });
  });

  test('of sixteen appends after the same version one is recorded, and the others draw no position', async () => {
    const stream = await placedOrder();
    const { authorized } = eventsFor(stream);
    const results = await Promise.all(Array.from({ length: 16 }, () => append(appSql, stream, command([authorized]))));
    expect(results.map(({ outcome }) => outcome).toSorted()).toEqual(['appended', ...Array(15).fill('conflict')]);
    expect((await readOrder(appSql, stream.orderId)).version).toBe(3);
    const [before] = await ownerSql<{ last: number }[]>`select max(position) as last from ledger.event`;
    const next = await placedOrder();
    const [drawn] = await ownerSql<{ first: number }[]>`
      select min(position) as first from ledger.event where stream_id = ${`order-${next.orderId}`}`;
    expect(drawn?.first).toBe((before?.last ?? 0) + 1);
  });

  test('of sixteen commands that place the same order one is recorded, and the others are conflicts', async () => {
    const stream = newStream();
    const { placed } = eventsFor(stream);
    const results = await Promise.all(Array.from({ length: 16 }, () => append(appSql, stream, command([placed]))));
    expect(results.map(({ outcome }) => outcome).toSorted()).toEqual(['appended', ...Array(15).fill('conflict')]);
    expect((await readOrder(appSql, stream.orderId)).version).toBe(1);
  });

  test('of sixteen appends of the same command one is recorded', async () => {
    const stream = newStream();
    const once = command([eventsFor(stream).placed]);
    const results = await Promise.all(Array.from({ length: 16 }, () => append(appSql, stream, once)));
    expect(results.filter(({ outcome }) => outcome === 'appended')).toHaveLength(1);
    expect(results.filter(({ outcome }) => outcome === 'duplicate')).toHaveLength(15);
  });

  test('a check of the row refuses more money out than in', async () => {
    const stream = await placedOrder();
    await expect(
      ownerSql`update ledger.order_summary set refunded_cents = 1 where order_id = ${stream.orderId}`,
    ).rejects.toMatchObject({ constraint_name: 'order_summary_never_more_out_than_in' });
  });

  const placed = summaryOf([{ event: orderAPlaced, version: 1, occurredAt: noon.toISOString() }]);
  if (placed === undefined) throw new Error('An order that was placed has a row');
  const sound = summaryRow(placed);

  /** As a faulty program could. */
  function callAppend({
    summary = {},
    actor = 'x',
    requestId = null as string | null,
    types = 'OrderPlaced',
    payloads = '{}',
  }) {
    const orderId = v7();
    const row: Record<string, string | number | null> = { ...sound, order_id: orderId, version: 1, ...summary };
    return appSql`
      select ledger.append_to_order(${orderId}::uuid, 0, ${`forged ${orderId}`}, ${Buffer.alloc(32)}, ${actor},
        ${requestId}, now(), ${types}, array[1]::smallint[], '', array[null]::bigint[], ${payloads},
        ${JSON.stringify(row)}::text::json, null, null, null, null) as appended`;
  }

  test('an append with a sound row is recorded', async () => {
    expect(await callAppend({})).toEqual([{ appended: true }]);
  });

  test.each([
    { what: 'another version', summary: { version: 7 } },
    { what: 'an unknown status of the payment', summary: { payment_status: 'lost' } },
    { what: 'an unknown delivery', summary: { delivery_option: 'drone' } },
    { what: 'an unknown dispute', summary: { dispute_status: 'settled' } },
    { what: 'no rugs', summary: { rug_count: 0 } },
    { what: 'the id of another order', summary: { order_id: '0199d5a0-7c00-7000-8000-0000000000ff' } },
    { what: 'more left to refund than was captured', summary: { refundable_cents: 1 } },
    { what: 'another status of refunds', summary: { refund_status: 'full' } },
    { what: 'less than nothing refunded', summary: { refunded_cents: -1 } },
    { what: 'less than nothing on its way back', summary: { refund_pending_cents: -1 } },
  ])('an append whose row has $what is refused as a whole', async ({ summary }) => {
    await expect(callAppend({ summary })).rejects.toMatchObject({ code: 'KLM03' });
  });

  test.each([
    {
      what: 'more captured than ordered',
      summary: { captured_cents: sound.total_cents + 1, refundable_cents: sound.total_cents + 1 },
    },
    {
      what: 'more refunded than captured',
      summary: { captured_cents: 100, refunded_cents: 101, refundable_cents: -1, refund_status: 'partial' },
    },
  ])('a check of the row refuses an append whose row has $what', async ({ summary }) => {
    await expect(callAppend({ summary })).rejects.toMatchObject({
      constraint_name: 'order_summary_never_more_out_than_in',
    });
  });

  test.each([
    { what: 'a line feed in the actor', actor: 'x\ny' },
    { what: 'a carriage return in the actor', actor: 'x\ry' },
    { what: 'a line feed in the id of the request', requestId: '1\n2' },
    { what: 'a line feed in its type', types: 'OrderPlaced\n' },
    { what: 'a carriage return in its type', types: 'OrderPlaced\r' },
    { what: 'no type', types: '' },
    { what: 'two payloads', payloads: '{}\n{}' },
    { what: 'no payload', payloads: '' },
  ])('an event with $what is refused', async ({ what: _, ...wrong }) => {
    await expect(callAppend(wrong)).rejects.toMatchObject({ code: 'KLM03' });
  });
});

describe('effects', () => {
  /** As other processes read it. */
  async function opened(waitSeconds = 6) {
    const stream = newStream();
    const { placed, started, authorized } = eventsFor(stream);
    const effect = { key: v7(), paymentId: started.paymentId, kind: 'charge' as const, waitSeconds };
    const first = await append(appSql, stream, command([placed, started], { openEffects: [effect] }));
    if (first.outcome !== 'appended') throw new Error(first.outcome);
    const see = async () => (await readOpenEffects(appSql)).find(({ key }) => key === effect.key);
    return { effect, stream: first.stream, authorized, see };
  }

  test('an effect is opened with the first fence and its lease', async () => {
    const { effect, stream, see } = await opened(6);
    expect(await see()).toMatchObject({ ...effect, orderId: stream.orderId, fence: 0, mark: '0/0' });
  });

  test('of several processes that take over the same effect, one gets it', async () => {
    const { see } = await opened();
    const seen = await see();
    if (seen === undefined) throw new Error('no effect');
    const taken = await Promise.all(Array.from({ length: 8 }, () => takeEffect(appSql, seen)));
    expect(taken.filter((won) => won !== undefined)).toMatchObject([{ key: seen.key, fence: 1 }]);
  });

  test('a sign of life in between prevents a takeover', async () => {
    const { see } = await opened();
    const seen = await see();
    if (seen === undefined) throw new Error('no effect');
    expect(await beatEffect(appSql, seen)).toBe(true);
    expect(await takeEffect(appSql, seen)).toBeUndefined();
  });

  test('a replaced owner can neither beat, nor release, nor close the effect', async () => {
    const { see } = await opened();
    const seen = await see();
    if (seen === undefined) throw new Error('no effect');
    const taken = await takeEffect(appSql, seen);
    expect(await beatEffect(appSql, seen)).toBe(false);
    await releaseEffect(appSql, seen, { seconds: 0 });
    await closeEffect(appSql, seen);
    expect(await see()).toMatchObject({ fence: taken?.fence, mark: taken && `${taken.fence}/${taken.beat}` });
  });

  test('the append of the outcome closes the effect', async () => {
    const { effect, stream, authorized, see } = await opened();
    await append(appSql, stream, command([authorized], { closeEffects: [effect.key] }));
    expect(await see()).toBeUndefined();
  });
});

describe('recorded events cannot be changed', () => {
  const statements = {
    update: 'update ledger.event set amount_cents = 1',
    delete: 'delete from ledger.event',
    truncate: 'truncate ledger.event',
  };

  test.each(Object.entries(statements))('%s is refused to the application', async (_name, statement) => {
    await placedOrder();
    await expect(appSql.unsafe(statement)).rejects.toMatchObject({ code: '42501' });
  });

  test.each(Object.entries(statements))('%s is refused to the owner', async (_name, statement) => {
    await placedOrder();
    await expect(ownerSql.unsafe(statement)).rejects.toMatchObject({ code: 'KLM02' });
  });

  test.each(Object.entries(statements))(
    '%s is refused to a superuser who switches triggers to replica',
    async (_name, statement) => {
      await placedOrder();
      await expect(
        ownerSql.begin(async (sql) => {
          await sql`set local session_replication_role = replica`;
          await sql.unsafe(statement);
        }),
      ).rejects.toMatchObject({ code: 'KLM02' });
    },
  );

  test('the application cannot insert an event, a command or a row without the function', async () => {
    for (const statement of [
      "insert into ledger.event (stream_id) values ('order-x')",
      "insert into ledger.command (command_id) values ('x')",
      'update ledger.order_summary set captured_cents = 0',
      'delete from ledger.effect',
      'delete from ledger.customer_contact',
    ]) {
      await expect(appSql.unsafe(statement)).rejects.toMatchObject({ code: '42501' });
    }
  });

  test('accountants read facts and no personal data', async () => {
    await ownerSql.begin(async (sql) => {
      await sql`set local role kilim_report`;
      await sql`select * from ledger.event limit 1`;
      await expect(sql.savepoint((inner) => inner`select * from ledger.customer_contact`)).rejects.toMatchObject({
        code: '42501',
      });
    });
  });
});

test('each hash covers the previous one: recomputed in SQL, all agree, and the first has no previous one', async () => {
  await placedOrder();
  const broken = await ownerSql`
    select stream_id, version from (
      select e.*, ledger.event_hash(e) as expected,
        coalesce(lag(e.hash) over (partition by e.stream_id order by e.version), decode(repeat('00', 32), 'hex')) as before
      from ledger.event e
    ) chain where hash <> expected or previous_hash <> before`;
  expect(broken).toEqual([]);
  const [count] = await ownerSql<{ events: number }[]>`select count(*)::int as events from ledger.event`;
  expect(count?.events).toBeGreaterThan(0);
});

test('amounts in cents survive a round trip at their limits', async () => {
  const stream = newStream();
  const total = cents(999_999_999);
  const placed: OrderEvent = { ...orderAPlaced, orderId: stream.orderId, total } as OrderEvent;
  await append(appSql, stream, command([placed]));
  expect(summaryOf((await readOrder(appSql, stream.orderId)).events)?.total).toBe(total);
  expect(totalA).toBeLessThan(total);
});
