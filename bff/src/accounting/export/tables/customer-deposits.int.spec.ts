import { randomUUID } from 'node:crypto';
import { makeAdministrator, openBrowser } from '@kilim/lab/testing/administrator';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { openShop, paid, paymentFor, quoted, twoRugs } from '@kilim/lab/testing/shop';
import { settleNow } from '@kilim/lab/testing/work-now';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Intake } from '../../../../contract/intake.ts';
import type { IntakeRequest } from '../../../../contract/intake-request.ts';
import type { Report } from '../../../../contract/reports.ts';
import { dayIn } from '../../../core/runtime/day-in.ts';

const { appSql, ownerSql } = await testDatabase();
const shop = await openShop(appSql);
afterAll(shop.close);
await makeAdministrator(appSql);
const owner = openBrowser(shop);
beforeAll(async () => void (await owner.signIn()));

const today = dayIn('America/Los_Angeles', new Date());
const larger = [
  { width: 102, length: 126 },
  { width: 66, length: 84 },
];

async function placed() {
  const quote = await quoted(shop, twoRugs);
  const { paymentId } = await paid(shop, paymentFor(quote));
  return { orderId: quote.orderId, paymentId, total: quote.totalAmount };
}

async function act(orderId: string, body: IntakeRequest): Promise<Intake> {
  return (await (await owner.post(`/api/admin/orders/${orderId}/intake`, body)).json()) as Intake;
}

async function handOver(orderId: string) {
  await act(orderId, { step: 'receive', sizes: larger });
  await act(orderId, { step: 'ready' });
  await act(orderId, { step: 'hand-over' });
}

async function deposits() {
  const answer = await owner.get(`/api/admin/ledger/report?report=customer-deposits&from=${today}&to=${today}`);
  const { rows, totals } = (await answer.json()) as Report;
  return { rows, totals };
}

test('what is paid and not handed over, with supplements and less refunds', async () => {
  const [kept, refunded, handedOver, undone] = [await placed(), await placed(), await placed(), await placed()];
  const { measurement } = await act(kept.orderId, { step: 'receive', sizes: larger });
  const amount = measurement?.due ?? 0;
  const { request } = await act(kept.orderId, { step: 'ask', measurement: 1, amount });
  const id = request?.url.split('/').at(-1) ?? '';
  const pay = { token: 'cnon:card-nonce-ok', amount, idempotencyKey: randomUUID() };
  expect((await shop.post(`/api/differences/${id}/pay`, pay)).status).toBe(200);
  const key = randomUUID();
  const refund = { paymentId: refunded.paymentId, amount: refunded.total, reason: 'Delay', refundType: 'full' };
  expect((await owner.post('/api/admin/refund', { ...refund, idempotencyKey: key })).status).toBe(201);
  await handOver(handedOver.orderId);
  await handOver(undone.orderId);
  await act(undone.orderId, { step: 'undo', undoes: 'handed-over' });
  const owed = async () => {
    await settleNow(shop.world, ownerSql);
    return (await deposits()).rows.map(([order]) => order).toSorted();
  };
  await expect.poll(owed, { timeout: 60_000 }).toEqual([kept.orderId, undone.orderId].toSorted());
  const { rows, totals } = await deposits();
  const sum = Math.round((kept.total + amount) * 100) / 100;
  expect(rows.find(([order]) => order === kept.orderId)).toEqual([kept.orderId, today, sum, 0, sum]);
  expect(rows.find(([order]) => order === undone.orderId)?.at(-1)).toBe(undone.total);
  expect(totals?.at(-1)).toBe(Math.round((sum + undone.total) * 100) / 100);
});
