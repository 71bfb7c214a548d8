import { cents } from '@kilim/domain/money';
import type { OrderId, PaymentId, RefundId } from '@kilim/domain/order/ids';
import { makeAdministrator, openBrowser } from '@kilim/lab/testing/administrator';
import { copyDatabase } from '@kilim/lab/testing/copy-database';
import { type MailDesk, mailRecipients, openMailDesk } from '@kilim/lab/testing/mails';
import { blankDatabase, testDatabase } from '@kilim/lab/testing/postgres';
import { openShop, paid, paymentFor, quoted, type Shop, sendPayment, simulatorIdentity } from '@kilim/lab/testing/shop';
import { settleNow } from '@kilim/lab/testing/work-now';
import { afterAll, expect, test } from 'vitest';
import type { AttentionAnswer } from '../../../contract/attention.ts';
import { lastSeconds } from '../background/background-work.ts';
import { reconcile } from '../background/reconcile.ts';
import { beginMails } from '../background/send-mails.ts';
import { connect, type Sql } from '../database/database.ts';
import { migrate } from '../database/migrate.ts';
import { sha256 } from '../ledger/hash.ts';
import { requestRefund } from '../use-case/request-refund.ts';
import type { World } from '../use-case/world.ts';

// Half past five in the shop: before the daily summary.
const early = { now: () => new Date('2026-11-24T13:30:00Z') };

const { appSql, ownerSql, url } = await testDatabase();
const shop = await openShop(appSql, { sendsMails: true });
const desk = await openMailDesk(shop, early);
await shop.square.change({ refundSettlesAfterMs: 0 });

const blank = await blankDatabase();
const restoredSql = connect({ url: blank.url, role: 'kilim_server', max: 8, applicationName: 'kilim test restored' });
const closers: (() => Promise<unknown>)[] = [blank.drop, () => restoredSql.end({ timeout: 1 }), desk.close, shop.close];
afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});

async function placed(at: Shop = shop): Promise<{ readonly orderId: OrderId; readonly paymentId: PaymentId }> {
  const { orderId, paymentId } = await paid(at, paymentFor(await quoted(at)));
  return { orderId: orderId as OrderId, paymentId: paymentId as PaymentId };
}

async function refund(world: World, paymentId: PaymentId): Promise<void> {
  const refundId = crypto.randomUUID() as RefundId;
  await requestRefund(world, {
    ...{ paymentId, refundId, requestHash: sha256(refundId), refundType: 'partial', amount: cents(5000) },
    ...{ reason: 'Goodwill', notes: undefined, items: [], deliveryMinimum: cents(0) },
    ...{ requestedBy: 'ada', role: 'owner', timeZone: 'America/Los_Angeles', requestId: undefined },
  });
}

/** The customer's payment was declined before the dump, and accepted after it. */
async function payAtSquare(orderId: string, amount: number): Promise<void> {
  const answer = await fetch(`${shop.simulator.url}/v2/payments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${simulatorIdentity.accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ idempotency_key: crypto.randomUUID(), source_id: 'cnon:card-nonce-ok', autocomplete: true },
      ...{ amount_money: { amount, currency: 'USD' }, reference_id: orderId },
    }),
  });
  expect(answer.status).toBe(200);
}

const subjectsTo = (who: 'customer' | 'shop', { mailbox }: MailDesk) =>
  mailbox
    .mails()
    .filter(({ to }) => to.includes(mailRecipients.shop) === (who === 'shop'))
    .map(({ subject }) => subject.replace(/^(Your order|Your refund|New order|.*).*$/, '$1'));

async function heldBack(restored: Shop, sql: Sql): Promise<AttentionAnswer['items']> {
  await makeAdministrator(sql);
  const browser = openBrowser(restored);
  await browser.signIn();
  const answer = (await (await browser.get('/api/admin/attention')).json()) as AttentionAnswer;
  return answer.items.filter(({ kind }) => kind === 'mail-undelivered');
}

test('after a restore, a mail about what happened before waits for a person, and later ones are sent', async () => {
  await beginMails(desk.world);
  const orders = [await placed(), await placed()];
  const declined = await quoted(shop);
  await sendPayment(shop, paymentFor(declined, { token: 'cnon:card-nonce-declined' }));
  await desk.sendAll();
  // Of two mails the dump has the row, of two others not even that.
  const [unsent] = [await placed(), await beginMails(desk.world)];
  await placed();
  await copyDatabase({ from: url, to: blank.url });

  await desk.sendAll();
  for (const { paymentId } of orders) await refund(shop.world, paymentId);
  await settleNow(shop.world, ownerSql);
  await payAtSquare(declined.orderId, 75_822);
  await desk.sendAll();
  expect(subjectsTo('customer', desk).toSorted()).toEqual([
    ...['Your order', 'Your order', 'Your order', 'Your order'],
    ...['Your refund', 'Your refund'],
  ]);

  await migrate({ url: blank.url, say: () => undefined });
  const restored = await openShop(restoredSql, { sendsMails: true });
  const newDesk = await openMailDesk(restored, early);
  closers.push(restored.close, newDesk.close);
  const world = { ...restored.world, card: shop.world.card };
  const reconciled = await reconcile(world, lastSeconds(new Date(), 3600), { recordsLost: true });
  expect(reconciled).toMatchObject({
    report: { recorded: { ExternalRefundRecorded: 2, PaymentCaptured: 1 }, differences: [] },
  });
  await newDesk.sendAll();
  expect(subjectsTo('customer', newDesk)).toEqual([]);
  const held = await heldBack(restored, restoredSql);
  expect(held.map(({ id }) => id.split(':')[0]).toSorted()).toEqual([
    ...['new-order', 'new-order', 'new-order', 'order-confirmation', 'order-confirmation', 'order-confirmation'],
    ...['refund-notice', 'refund-notice'],
  ]);
  expect(held.map(({ detail }) => detail)).toContain(
    'The notice about a refund of this order: it was perhaps sent before the database was restored.',
  );

  await restored.square.change({ refundSettlesAfterMs: 0 });
  await restoredSql`select ledger.reopen_mail('order-confirmation', ${unsent.orderId})`;
  await refund(restored.world, (await placed(restored)).paymentId);
  await settleNow(restored.world, blank.sql);
  await newDesk.sendAll();
  expect(subjectsTo('customer', newDesk).toSorted()).toEqual(['Your order', 'Your order', 'Your refund']);
});

test('after a failover, a payment of the last minutes gets its mails', async () => {
  const [recent, older] = [await placed(), await placed()];
  await ownerSql`
    update ledger.order_summary set paid_at = clock_timestamp() - interval '6 minutes' where order_id = ${older.orderId}`;
  await ownerSql`
    insert into ledger.cluster (sequence, epoch, system_identifier, event_table, timeline, reason, may_lack_events)
    select sequence + 1, epoch, system_identifier, event_table, timeline, 'promoted', true
    from ledger.cluster order by sequence desc limit 1`;
  await desk.sendAll();
  const confirmations = await ownerSql`
    select about, state from ledger.mail
    where kind = 'order-confirmation' and order_id in (${recent.orderId}, ${older.orderId}) order by state`;
  expect(confirmations).toEqual([
    { about: older.orderId, state: 'parked' },
    { about: recent.orderId, state: 'sent' },
  ]);
});
