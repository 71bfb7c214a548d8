import { randomUUID } from 'node:crypto';
import type { Intake } from '@kilim/bff/contract/intake';
import type { OrderDetailAnswer } from '@kilim/bff/contract/orders';
import { afterAll, expect, test } from 'vitest';
import { beginMails } from '../../../bff/src/core/background/send-mails.ts';
import { makeAdministrator, openBrowser } from '../../testing/administrator.ts';
import { openMailDesk } from '../../testing/mails.ts';
import { until } from '../../testing/patience.ts';
import { testDatabase } from '../../testing/postgres.ts';
import { openShop, paid, paymentFor, quoted } from '../../testing/shop.ts';
import { settleNow } from '../../testing/work-now.ts';
import { mailViolations } from './mail-violations.ts';

const { appSql, ownerSql } = await testDatabase();
const shop = await openShop(appSql);
afterAll(shop.close);
const desk = await openMailDesk(shop);
afterAll(desk.close);
await makeAdministrator(appSql);
const owner = openBrowser(shop);

const larger = { width: 144, length: 180 };
const key = () => randomUUID().replaceAll('-', '');

test('the notice is due also for a refund of a payment for larger rugs', async () => {
  await beginMails(desk.world);
  await owner.signIn();
  const quote = await quoted(shop);
  await paid(shop, paymentFor(quote));
  const steps = `/api/admin/orders/${quote.orderId}/intake`;
  const received = await owner.post(steps, { step: 'receive', sizes: quote.rugs.map(() => larger) });
  const { measurement } = (await received.json()) as Intake;
  const amount = measurement?.due ?? 0;
  const asked = (await (await owner.post(steps, { step: 'ask', measurement: 1, amount })).json()) as Intake;
  const supplementId = asked.request?.url.split('/').at(-1) ?? '';
  const payment = { token: 'cnon:card-nonce-ok', amount, idempotencyKey: key() };
  expect((await shop.post(`/api/differences/${supplementId}/pay`, payment)).status).toBe(200);
  const { order } = (await (await owner.get(`/api/admin/orders/${supplementId}`)).json()) as OrderDetailAnswer;
  const refund = { paymentId: order.paymentId, amount, reason: 'Customer request', refundType: 'full' };
  expect((await owner.post('/api/admin/refund', { ...refund, idempotencyKey: key() })).status).toBe(201);
  await until('the customer is told of the refund', async () => {
    await settleNow(shop.world, ownerSql);
    await desk.sendAll();
    return desk.mailbox.mails().some(({ subject }) => subject.startsWith('Your refund of'));
  });
  expect(await mailViolations(ownerSql, desk.mailbox.mails())).toEqual([]);
});
