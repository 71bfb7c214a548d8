import { makeAdministrator, openBrowser } from '@kilim/lab/testing/administrator';
import { type MailDesk, mailRecipients, openMailDesk } from '@kilim/lab/testing/mails';
import { isHostile } from '@kilim/lab/testing/only-ours';
import { patience } from '@kilim/lab/testing/patience';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { quietly } from '@kilim/lab/testing/quietly';
import { adaLovelace, openShop, paid, paymentFor, quoted, sendPayment, twoRugs } from '@kilim/lab/testing/shop';
import { settleNow } from '@kilim/lab/testing/work-now';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AttentionAnswer } from '../../../contract/attention.ts';
import type { OrderDetailAnswer } from '../../../contract/orders.ts';
import type { PaidOrder } from '../../../contract/receipt.ts';
import { beginMails, mailRounds } from './send-mails.ts';

const { appSql, ownerSql } = await testDatabase();
// Half past five in the shop: before the daily summary.
const early = new Date('2026-11-24T13:30:00Z');
const shop = await openShop(appSql, { sendsMails: true });
afterAll(shop.close);
await makeAdministrator(appSql);
const browser = openBrowser(shop);
beforeAll(async () => void (await browser.signIn()));

let desk: MailDesk;
beforeEach(async () => {
  desk = await openMailDesk(shop, { now: () => early });
  await desk.sendAll();
});
afterEach(async () => {
  await desk.close();
  await ownerSql`update ledger.mail set state = 'dropped', settled_at = clock_timestamp() where state <> 'sent'`;
});

/** A hostile Square does not tell the digits. */
const card = isHostile ? 'card' : 'Visa ending in 1111';

async function placed(email = adaLovelace.email) {
  const details = { ...twoRugs, customerInfo: { ...adaLovelace, email } };
  const quote = await quoted(shop, details);
  await paid(shop, paymentFor(quote, { orderDetails: { ...details, orderId: quote.orderId } }));
  return quote.orderId;
}

async function detailOf(orderId: string): Promise<OrderDetailAnswer> {
  return (await (await browser.get(`/api/admin/orders/${orderId}`)).json()) as OrderDetailAnswer;
}

async function attentionItems() {
  const answer = (await (await browser.get('/api/admin/attention')).json()) as AttentionAnswer;
  return answer.items.filter(({ kind }) => kind === 'mail-undelivered');
}

/** As if every mail's pause were over. */
async function waitOut() {
  await ownerSql`update ledger.mail set due_at = clock_timestamp() where state = 'open'`;
}

const to = (address: string) => desk.mailbox.mails().filter((mail) => mail.to.includes(address));

describe('what is sent', () => {
  test('the customer gets a confirmation and the shop a message about the order, each once', async () => {
    const orderId = await placed();
    await desk.sendAll();
    await desk.sendAll();
    const [confirmation, ...more] = to(adaLovelace.email);
    expect(more).toEqual([]);
    expect(confirmation?.subject).toMatch(/^Your order [0-9A-Z]{4}-[0-9A-Z]{4} at /);
    expect(confirmation?.text).toContain(`We charged $758.22 to your ${card}.`);
    expect(confirmation?.text).toMatch(/CA Sales Tax: \$\d+\.\d\d\nTotal: \$758\.22/);
    expect(confirmation?.text).toMatch(/https:\/\/shop\.example\/payment-success\?payment_id=[0-9a-f]{32}\n/);
    const [toShop] = to(mailRecipients.shop);
    expect(toShop?.subject).toMatch(/^New order .*: 2 rugs, \$758\.22, White Glove Pickup$/);
    expect(toShop?.text).toContain(`https://office.example/admin/orders/${orderId}`);
    expect(toShop?.text).toContain('Call Ada Lovelace, (310) 555-0142, to arrange the pickup.');
    for (const word of [adaLovelace.email, adaLovelace.address]) expect(toShop?.source).not.toContain(word);
    const mails = (await detailOf(orderId)).mails.toSorted((one, other) => one.kind.localeCompare(other.kind));
    expect(mails).toEqual([
      expect.objectContaining({ kind: 'new-order', state: 'sent', failure: null }),
      expect.objectContaining({ kind: 'order-confirmation', state: 'sent', failure: null }),
    ]);
  });

  test('the amounts of a confirmation add up to its total', async () => {
    await placed();
    await desk.sendAll();
    const amounts = [...(to(adaLovelace.email)[0]?.text ?? '').matchAll(/: \$([\d,]+)\.(\d\d)$/gm)].map(
      ([, dollars = '', cents]) => Number(`${dollars.replaceAll(',', '')}${cents}`),
    );
    const total = amounts.pop();
    expect(amounts.length).toBeGreaterThan(3);
    expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(total);
  });

  test('a customer whose payment was not made after a long wait is told so, unless another one was made', async () => {
    const unpaid = async (email: string, token: string) => {
      const details = { ...twoRugs, customerInfo: { ...adaLovelace, email } };
      const quote = await quoted(shop, details);
      const payment = paymentFor(quote, { token, orderDetails: { ...details, orderId: quote.orderId } });
      expect(await sendPayment(shop, payment)).toMatchObject({ status: 402 });
      return { ...payment, idempotencyKey: crypto.randomUUID() };
    };
    const declined = 'cnon:card-nonce-declined';
    const later = [await unpaid('gave-up@example.com', declined), await unpaid('paid-later@example.com', declined)][1];
    const seen = await unpaid('saw-it@example.com', declined);
    shop.simulator.setFault({ kind: 'status', status: 401, times: 10 });
    await unpaid('voided@example.com', 'cnon:card-nonce-ok');
    await shop.square.clearFaults();
    await quietly(
      ownerSql,
      `update ledger.event set recorded_at = recorded_at - interval '3 minutes'
       where type = 'PaymentStarted' and stream_id <> 'order-${seen.orderDetails.orderId}'`,
    );
    if (later !== undefined) await paid(shop, { ...later, token: 'cnon:card-nonce-ok' });
    await desk.sendAll();
    for (const left of ['gave-up@example.com', 'voided@example.com']) {
      const [notice, ...others] = to(left);
      expect(others).toEqual([]);
      expect(notice?.subject).toMatch(/^Your payment was not made: order [0-9A-Z]{4}-[0-9A-Z]{4} at /);
      expect(notice?.text).toContain('Nothing was charged.');
    }
    expect(to('paid-later@example.com').map(({ subject }) => subject)).toEqual([expect.stringMatching(/^Your order /)]);
    expect(to('saw-it@example.com')).toEqual([]);
  });

  test('a refund is told when it is made, with what remains paid', async () => {
    const orderId = await placed();
    const { order } = await detailOf(orderId);
    const idempotencyKey = crypto.randomUUID();
    const asked = { paymentId: order.paymentId, amount: 80, reason: 'Goodwill', refundType: 'partial', idempotencyKey };
    expect((await browser.post('/api/admin/refund', asked)).status).toBe(201);
    const settled = async () => {
      await settleNow(shop.world, ownerSql);
      return (await detailOf(orderId)).refunds[0]?.status;
    };
    await expect.poll(settled, patience).toBe('completed');
    await desk.sendAll();
    const notice = to(adaLovelace.email).find(({ subject }) => subject.includes('refund'));
    expect(notice?.subject).toMatch(/^Your refund of \$80\.00 from /);
    expect(notice?.text).toContain(`It goes to your ${card}.`);
    expect(notice?.text).toContain('You paid: $758.22\nRefunded: -$80.00\nRemains paid: $678.22');
    expect(notice?.text).not.toContain('Goodwill');
  });

  test('money that was given back by check is told as such', async () => {
    const orderId = await placed();
    const paidOn = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Los_Angeles' }).format(new Date());
    const idempotencyKey = crypto.randomUUID();
    const asked = { amount: 50, method: 'check', paidOn, reference: 'No. 7', reason: 'Goodwill', idempotencyKey };
    expect((await browser.post(`/api/admin/orders/${orderId}/reimbursements`, asked)).status).toBe(201);
    await desk.sendAll();
    const notice = to(adaLovelace.email).find(({ subject }) => subject.includes('refund'));
    expect(notice?.text).toContain('We gave it back by check.');
  });

  test('a contact that was erased gets nothing', async () => {
    const orderId = await placed();
    expect((await browser.post(`/api/admin/orders/${orderId}/erase-contact`, {})).status).toBe(200);
    await desk.sendAll();
    expect(to(adaLovelace.email)).toEqual([]);
    expect(to(mailRecipients.shop).map(({ text }) => text)).toEqual([expect.stringContaining('nobody can call')]);
  });

  test('what happened before mails were configured gets none', async () => {
    await ownerSql`truncate ledger.mail, ledger.mail_kind`;
    await placed();
    await desk.sendAll();
    expect(desk.mailbox.mails()).toEqual([]);
    await placed();
    await desk.sendAll();
    expect(desk.mailbox.mails()).toHaveLength(2);
  });

  test('an order that is paid between the first start and its first round gets its mails', async () => {
    await ownerSql`truncate ledger.mail, ledger.mail_kind`;
    await placed();
    await beginMails(desk.world);
    await placed();
    await desk.sendAll();
    expect(desk.mailbox.mails()).toHaveLength(2);
  });

  test('several servers send each mail once', async () => {
    const rounds = [desk.world, desk.world, desk.world].map(mailRounds);
    for (let order = 0; order < 4; order += 1) await placed();
    for (let round = 0; round < 4; round += 1)
      await Promise.all(rounds.map(async (send) => await send(() => undefined)));
    expect(to(adaLovelace.email)).toHaveLength(4);
    expect(to(mailRecipients.shop)).toHaveLength(4);
  });
});

describe('the daily summary', () => {
  const morning = new Date('2026-11-24T15:05:00Z');

  test('comes once a day to the shop, and only when something waits', async () => {
    const quiet = await openMailDesk(shop, { now: () => morning });
    await quiet.sendAll();
    expect(quiet.mailbox.mails()).toEqual([]);
    await quiet.close();

    await ownerSql`delete from ledger.mail where kind = 'attention-summary'`;
    await placed('mail-unknown@example.com');
    await desk.sendAll();
    const busy = await openMailDesk(shop, { now: () => morning });
    await busy.sendAll();
    await busy.sendAll();
    const summaries = busy.mailbox.mails().filter(({ subject }) => subject.startsWith('Needs attention'));
    expect(summaries.map(({ subject }) => subject)).toEqual(['Needs attention: 1 email waits for a decision']);
    expect(summaries[0]?.text).toContain('https://office.example/admin/today');
    await busy.close();
  });
});

describe('a mail server that fails', () => {
  test.each(['hang', 'refuse-connections', 'busy', 'reject'] as const)(
    '%s: delays no payment and loses no mail',
    async (fault) => {
      desk.mailbox.setFault(fault);
      const orderId = await placed();
      await desk.sendAll();
      expect(desk.mailbox.mails()).toEqual([]);
      const { mails } = await detailOf(orderId);
      expect(mails.map(({ state }) => state)).toEqual(['waiting', 'waiting']);
      for (const { failure } of mails) {
        expect(failure).toMatch(/^(?:[A-Z]+|451 4\.3\.0|554 5\.7\.1)(?: [A-Z]+)?$/);
      }
      desk.mailbox.setFault();
      await waitOut();
      await desk.sendAll();
      expect(to(adaLovelace.email)).toHaveLength(1);
      expect((await detailOf(orderId)).mails.map(({ state }) => state)).toEqual(['sent', 'sent']);
    },
  );

  test('takes a mail and dies: the mail is sent again with the same Message-ID', async () => {
    await placed('mail-lost@example.com');
    await desk.sendAll();
    await waitOut();
    await desk.sendAll();
    const [first, second, ...more] = to('mail-lost@example.com');
    expect(more).toEqual([]);
    expect(first?.messageId).toMatch(/^<[0-9a-f-]{36}@shop\.example>$/);
    expect(second?.messageId).toBe(first?.messageId);
  });

  test('a server that dies while it sends leaves the mail to the others', async () => {
    await placed();
    const dying = { send: () => new Promise<never>(() => undefined) };
    void mailRounds({ ...desk.world, smtp: dying })(() => undefined);
    await expect
      .poll(async () => (await ownerSql`select from ledger.mail where tries = 1 and state = 'open'`).length)
      .toBe(2);
    await desk.sendAll();
    expect(desk.mailbox.mails()).toEqual([]);
    await waitOut();
    await desk.sendAll();
    expect(desk.mailbox.mails()).toHaveLength(2);
  });

  test('a mail that cannot be delivered for a day waits for a person', async () => {
    desk.mailbox.setFault('busy');
    const orderId = await placed();
    await desk.sendAll();
    expect(await attentionItems()).toEqual([]);
    await ownerSql`update ledger.mail set opened_at = opened_at - interval '25 hours', due_at = clock_timestamp()
      where state = 'open' and kind = 'order-confirmation'`;
    await desk.sendAll();
    const [item, ...others] = await attentionItems();
    expect(others).toEqual([]);
    expect(item).toMatchObject({ orderId, id: `order-confirmation:${orderId}` });
    expect(item?.detail).toBe(
      'The confirmation of this order: the mail server did not take it for a day (451 4.3.0 RCPT).',
    );
  });

  test('a mail to an address that the server refuses for ever is parked after one try, and can be sent again or given up', async () => {
    const orderId = await placed('mail-unknown@example.com');
    await desk.sendAll();
    expect((await attentionItems()).map(({ detail }) => detail)).toEqual([
      'The confirmation of this order: the mail server knows no such address (550 5.1.1 RCPT).',
    ]);
    const mail = { kind: 'order-confirmation', about: orderId };
    expect((await browser.post('/api/admin/mails/send', mail)).status).toBe(204);
    expect(await attentionItems()).toEqual([]);
    await desk.sendAll();
    expect(await attentionItems()).toHaveLength(1);
    expect((await browser.post('/api/admin/mails/drop', mail)).status).toBe(204);
    expect(await attentionItems()).toEqual([]);
    expect((await browser.post('/api/admin/mails/drop', mail)).status).toBe(404);
    expect((await browser.post('/api/admin/mails/send', { ...mail, about: 'nothing' })).status).toBe(404);
  });

  test('neither the table nor the log has an address or the words of the server', async () => {
    await placed('mail-unknown@example.com');
    await placed('mail-busy@example.com');
    await desk.sendAll();
    const rows = JSON.stringify(await ownerSql`select * from ledger.mail`);
    const lines = shop.logged.filter((line) => line.includes('a mail'));
    expect(lines.length).toBeGreaterThan(0);
    for (const text of [rows, ...lines]) expect(text).not.toMatch(/@example|no such mailbox|Please try later/);
  });
});

describe('a mail that was sent', () => {
  test('is sent again with a Message-ID of its own when a person asks', async () => {
    const orderId = await placed();
    await desk.sendAll();
    const mail = { kind: 'order-confirmation', about: orderId };
    expect((await browser.post('/api/admin/mails/send', mail)).status).toBe(204);
    await desk.sendAll();
    const ids = to(adaLovelace.email).map(({ messageId }) => messageId);
    expect(new Set(ids).size).toBe(2);
  });
});

describe('the receipt', () => {
  const promised = async (orderId: string) => {
    const { order } = await detailOf(orderId);
    const answer = (await (await shop.get(`/api/orders/payment/${order.paymentId}`)).json()) as PaidOrder;
    return answer.order.confirmationMail;
  };

  test('promises a mail while one comes, and none that does not', async () => {
    const orderId = await placed();
    expect(await promised(orderId)).toBe('coming');
    await desk.sendAll();
    expect(await promised(orderId)).toBe('sent');
    const refused = await placed('mail-unknown@example.com');
    await desk.sendAll();
    expect(await promised(refused)).toBe('none');
  });
});
