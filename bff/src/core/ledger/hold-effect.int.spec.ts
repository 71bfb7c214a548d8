import type { OrderId, PaymentId } from '@kilim/domain/order/ids';
import { patience } from '@kilim/lab/testing/patience';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { v7 } from 'uuid';
import { afterEach, expect, test, vi } from 'vitest';
import { createLogger } from '../runtime/logger.ts';
import { type OpenEffect, readOpenEffects, takeEffect } from './effects.ts';
import { whileHolding } from './hold-effect.ts';

const { appSql: sql, ownerSql } = await testDatabase();
const world = { sql, log: createLogger({ level: 'silent' }) };
afterEach(() => ownerSql`delete from ledger.effect`);

/** By a request of this process. */
async function opened(): Promise<OpenEffect> {
  const orderId = v7() as OrderId;
  await ownerSql`
    insert into ledger.effect (key, order_id, payment_id, kind, wait_seconds)
    values (${orderId}, ${orderId}, ${orderId.replaceAll('-', '') as PaymentId}, 'charge', 6)`;
  return seen(orderId);
}

async function seen(key: string): Promise<OpenEffect> {
  const effect = (await readOpenEffects(sql)).find((open) => open.key === key);
  if (effect === undefined) throw new Error('The effect is not open');
  return effect;
}

test('an owner gives a sign of life each second, so a watcher never sees the same mark for long', async () => {
  const effect = await opened();
  const marks = await whileHolding(world, effect, async () => {
    const before = await seen(effect.key);
    await vi.waitUntil(async () => (await seen(effect.key)).mark !== before.mark, patience);
    return { before: before.mark, after: (await seen(effect.key)).mark };
  });
  expect(marks.after).not.toBe(marks.before);
});

test('a replaced owner learns it before it asks Square', async () => {
  const effect = await opened();
  await whileHolding(world, effect, async (hold) => {
    expect(await hold.isHeld()).toBe(true);
    await takeEffect(sql, await seen(effect.key));
    await vi.waitUntil(async () => !(await hold.isHeld()), patience);
  });
});

test('a suspended owner asks the database before it continues', async () => {
  const effect = await opened();
  await whileHolding(world, effect, async (hold) => {
    await takeEffect(sql, await seen(effect.key));
    // The monotonic clock stands still while a machine is suspended; the wall clock does not.
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 35_000);
    expect(await hold.isHeld()).toBe(false);
  });
});

test('an owner whose append was answered late asks the database before it continues', async () => {
  const effect = await opened();
  await takeEffect(sql, await seen(effect.key));
  await whileHolding(world, { ...effect, sinceConfirmed: () => 4000 }, async (hold) => {
    expect(await hold.isHeld()).toBe(false);
  });
});

test('without the database an owner cannot confirm its ownership', async () => {
  const effect = await opened();
  await whileHolding(world, effect, async (hold) => {
    await ownerSql`revoke execute on function ledger.beat_effect from kilim_server`;
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 35_000);
    await expect(hold.isHeld()).rejects.toThrow();
  });
  await ownerSql`grant execute on function ledger.beat_effect to kilim_server`;
});
