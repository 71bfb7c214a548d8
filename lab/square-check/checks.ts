import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { cents } from '@kilim/domain/money';
import type { IdempotencyKey, OrderId, RefundId } from '@kilim/domain/order/ids';
import { v7 } from 'uuid';
import { isSigned } from '../../bff/src/core/http/square-webhooks.ts';
import { type Shape, shapeOf } from './shape.ts';
import type { Answered, Target } from './target.ts';

export type Result = {
  readonly name: string;
  /** Absent: Square does not document it, so only the difference counts. */
  readonly expected: string | undefined;
  readonly said: string;
  readonly shape: Shape;
};

type Said = string | Answered | { readonly kind: string };
type Check = (name: string, expected: string | undefined, ask: () => Promise<Said>) => Promise<void>;

/** In this order: later checks use what earlier ones made. */
export async function runChecks(target: Target): Promise<readonly Result[]> {
  const results: Result[] = [];
  const check: Check = async (name, expected, ask) => {
    const answer = await ask().catch((error: unknown) => `threw ${String(error).slice(0, 120)}`);
    const shape = typeof answer === 'object' && 'status' in answer ? shapeOf(answer.body) : new Map<string, string>();
    results.push({ name, expected, said: wordsOf(answer), shape });
  };
  const made: Made = {
    heldId: '',
    refundId: '',
    orderId: v7() as OrderId,
    since: new Date(Date.now() - 60_000).toISOString(),
  };
  await checkAccount(check, target);
  await checkPayments(check, target, made);
  await checkDeclines(check, target);
  await checkRefunds(check, target, made);
  await checkLists(check, target, made);
  await checkBrowser(check, target);
  return results;
}

type Made = { heldId: string; refundId: string; readonly orderId: OrderId; readonly since: string };
type Body = {
  readonly payment?: Named;
  readonly refund?: Named;
  readonly errors?: readonly { readonly code: string }[];
};
type Named = { readonly id?: string; readonly status?: string };

/** `200 COMPLETED`, `400 CVV_FAILURE`, `declined GENERIC_DECLINE`. */
function wordsOf(answer: Said): string {
  if (typeof answer === 'string') return answer;
  if ('kind' in answer) {
    const { kind, ...more } = answer as { kind: string; code?: string; detail?: string };
    return [kind, more.code ?? more.detail ?? ''].join(' ').trim();
  }
  const { payment, refund, errors } = answer.body as Body;
  const words = errors?.map(({ code }) => code).join(',') ?? payment?.status ?? refund?.status ?? '';
  return `${answer.status} ${words}`.trim();
}

const usd = (amount: number) => ({ amount, currency: 'USD' });
const key = () => randomUUID() as IdempotencyKey;

async function checkAccount(check: Check, { card, cardWith, call, account }: Target): Promise<void> {
  await check('the location', '200', () => call('GET', `/locations/${account.locationId}`));
  await check('the location is active and takes dollars', 'true USD', async () => {
    const found = await card.getLocation();
    return found.kind === 'found' ? `${found.location.isActive} ${found.location.currency}` : found;
  });
  await check('another location', 'not-found', () => cardWith({ locationId: 'LNOSUCHLOCATION' }).getLocation());
  await check('a wrong token', 'refused UNAUTHORIZED', async () => {
    const looked = await cardWith({ accessToken: 'wrong' }).get('no-such-payment');
    return looked.kind === 'unknown' ? `refused ${looked.refusedCredentials}` : looked;
  });
  await check('a wrong token refuses no card', 'unavailable', () =>
    cardWith({ accessToken: 'wrong' }).authorize(holdOf(key(), v7() as OrderId)),
  );
}

function holdOf(idempotencyKey: IdempotencyKey, orderId: OrderId, amount = 1234) {
  const buyer = { buyerEmail: 'ada.lovelace@example.com', verificationToken: undefined };
  return { idempotencyKey, orderId, cardToken: 'cnon:card-nonce-ok', amount: cents(amount), ...buyer };
}

async function checkPayments(check: Check, { card, call }: Target, made: Made): Promise<void> {
  const first = key();
  const authorized = async (idempotencyKey: IdempotencyKey, orderId: OrderId = v7() as OrderId) => {
    const held = await card.authorize(holdOf(idempotencyKey, orderId));
    return held.kind === 'authorized' ? held.payment.squarePaymentId : wordsOf(held);
  };
  await check('authorise', 'approved', async () => {
    const held = await card.authorize(holdOf(first, made.orderId));
    if (held.kind !== 'authorized') return held;
    made.heldId = held.payment.squarePaymentId;
    return held.payment.status;
  });
  await check('authorise again with the same key', 'the same payment', async () =>
    (await authorized(first, made.orderId)) === made.heldId ? 'the same payment' : 'another payment',
  );
  await check('the same key for another amount', '400 IDEMPOTENCY_KEY_REUSED', () =>
    call('POST', '/payments', { source_id: 'cnon:card-nonce-ok', idempotency_key: first, amount_money: usd(99) }),
  );
  await check('a held payment', '200 APPROVED', () => call('GET', `/payments/${made.heldId}`));
  await check('a refund before the capture', '400 REFUND_ERROR_PAYMENT_NEEDS_COMPLETION', () =>
    call('POST', '/refunds', { payment_id: made.heldId, idempotency_key: key(), amount_money: usd(1) }),
  );
  await check('complete', '200 COMPLETED', () => call('POST', `/payments/${made.heldId}/complete`, {}));
  await check('complete again', '400 BAD_REQUEST', () => call('POST', `/payments/${made.heldId}/complete`, {}));
  await check('complete again is a success', 'completed', () => card.complete(made.heldId));
  await check('cancel a completed payment', '400 BAD_REQUEST', () =>
    call('POST', `/payments/${made.heldId}/cancel`, {}),
  );
  await check('cancel a completed payment by its key', undefined, () =>
    call('POST', '/payments/cancel', { idempotency_key: first }),
  );
  await check('a completed payment', '200 COMPLETED', () => call('GET', `/payments/${made.heldId}`));
  const toCancel = await authorized(key());
  await check('cancel', '200 CANCELED', () => call('POST', `/payments/${toCancel}/cancel`, {}));
  await check('cancel again is a success', 'canceled', () => card.cancel(toCancel));
  await check('a refund of a cancelled payment', '400 PAYMENT_NOT_REFUNDABLE', () =>
    call('POST', '/refunds', { payment_id: toCancel, idempotency_key: key(), amount_money: usd(1) }),
  );
  const lost = key();
  const lostId = await authorized(lost);
  await check('cancel by key', '200', () => call('POST', '/payments/cancel', { idempotency_key: lost }));
  await check('the payment that was cancelled by its key', '200 CANCELED', () => call('GET', `/payments/${lostId}`));
  await check('cancel by a key that no payment has', '200', () =>
    call('POST', '/payments/cancel', { idempotency_key: key() }),
  );
  await check('a payment that does not exist', 'not-found', () => card.get('no-such-payment'));
}

/** Square's sandbox has a card token for each. */
const declines = [
  ['cnon:card-nonce-declined', 'GENERIC_DECLINE'],
  ['cnon:card-nonce-rejected-cvv', 'CVV_FAILURE'],
  ['cnon:card-nonce-rejected-postalcode', 'ADDRESS_VERIFICATION_FAILURE'],
  ['cnon:card-nonce-rejected-expiration', 'INVALID_EXPIRATION'],
  ['cnon:card-nonce-already-used', 'CARD_TOKEN_USED'],
] as const;

async function checkDeclines(check: Check, { card, call, account }: Target): Promise<void> {
  const pay = (more: object) => {
    const asked = {
      source_id: 'cnon:card-nonce-ok',
      idempotency_key: key(),
      amount_money: usd(1234),
      autocomplete: false,
    };
    return call('POST', '/payments', { ...asked, location_id: account.locationId, ...more });
  };
  for (const [token, code] of declines) await check(token, `400 ${code}`, () => pay({ source_id: token }));
  await check('a declined card', 'declined GENERIC_DECLINE', () =>
    card.authorize({ ...holdOf(key(), v7() as OrderId), cardToken: 'cnon:card-nonce-declined' }),
  );
  await check('a token that does not exist', '404 NOT_FOUND', () => pay({ source_id: 'cnon:no-such-token' }));
  await check('another currency', '400 INVALID_VALUE', () => pay({ amount_money: { amount: 1234, currency: 'EUR' } }));
  await check('an amount of nothing', undefined, () => pay({ amount_money: usd(0) }));
  await check('no amount', '400 MISSING_REQUIRED_PARAMETER', () => pay({ amount_money: undefined }));
  await check('an email address that is none', undefined, () => pay({ buyer_email_address: 'no address' }));
}

async function checkRefunds(check: Check, { card, call }: Target, made: Made): Promise<void> {
  const refundId = v7() as RefundId;
  const part = { refundId, squarePaymentId: made.heldId, amount: cents(234), reason: 'Wrong colour' };
  await check('refund a part', 'accepted', async () => {
    const asked = await card.refund(part);
    if (asked.kind === 'accepted') made.refundId = asked.refund.squareRefundId;
    return asked.kind === 'accepted' ? asked.kind : asked;
  });
  await check('refund again with the same key', 'the same refund', async () => {
    const again = await card.refund(part);
    return again.kind === 'accepted' && again.refund.squareRefundId === made.refundId
      ? 'the same refund'
      : 'another one';
  });
  const refund = (amount: number, more: object = {}) =>
    call('POST', '/refunds', { payment_id: made.heldId, idempotency_key: key(), amount_money: usd(amount), ...more });
  await check('the same key for another refund', '400 IDEMPOTENCY_KEY_REUSED', () =>
    refund(1, { idempotency_key: refundId }),
  );
  await check('a refund', '200', async () => {
    const { status, body } = await call('GET', `/refunds/${made.refundId}`);
    // It is pending or completed, which depends on the moment.
    return { status, body: { ...(body as object), refund: { ...(body as Body).refund, status: undefined } } };
  });
  await check('more than is left', '400 REFUND_AMOUNT_INVALID', () => refund(1001));
  await check('refund the rest', '200 PENDING', () => refund(1000));
  await check('a refund of a payment that does not exist', '404 NOT_FOUND', () =>
    refund(1, { payment_id: 'no-such-payment' }),
  );
  await check('a refund that does not exist', 'not-found', () => card.getRefund('no-such-refund'));
}

async function checkLists(check: Check, { card, call, account, lateSeconds }: Target, made: Made): Promise<void> {
  const span = () => ({ from: made.since, to: new Date(Date.now() + 60_000).toISOString() });
  await check("the order's payment is listed, in time", '1 payment', async () => {
    const look = () => card.listForOrder({ orderId: made.orderId, since: made.since });
    let found = await look();
    for (let tries = 0; tries < lateSeconds && found.kind === 'listed' && found.payments.length === 0; tries += 1) {
      await setTimeout(1000);
      found = await look();
    }
    return found.kind === 'listed' ? `${found.payments.length} payment` : found;
  });
  await check('each changed payment is listed, and readable', 'listed, 0 unreadable', async () =>
    summaryOf(await card.listPayments(span())),
  );
  await check('each changed refund is listed, and readable', 'listed, 0 unreadable', async () =>
    summaryOf(await card.listRefunds(span())),
  );
  await check('each dispute is readable', 'listed, 0 unreadable', async () => summaryOf(await card.listDisputes()));
  const payouts = await card.listPayouts({ from: '2020-01-01T00:00:00Z', to: span().to });
  await check('each payout is readable', 'listed, 0 unreadable', async () => summaryOf(payouts));
  const payoutId = payouts.kind === 'listed' ? payouts.items[0]?.squarePayoutId : undefined;
  await check('each entry of a payout is readable', payoutId && 'listed, 0 unreadable', async () =>
    payoutId === undefined ? 'no payout yet' : summaryOf(await card.listPayoutEntries(payoutId)),
  );
  const place = `location_id=${account.locationId}&limit=1`;
  let cursor = '';
  await check('a page of one payment', '200 with a cursor', async () => {
    const { status, body } = await call('GET', `/payments?${place}`);
    cursor = (body as { cursor?: string }).cursor ?? '';
    return `${status} ${cursor === '' ? 'without' : 'with'} a cursor`;
  });
  await check('the next page', '200', () => call('GET', `/payments?${place}&cursor=${encodeURIComponent(cursor)}`));
  await check('a page of one refund', '200', () => call('GET', `/refunds?${place}`));
  await check('a cursor that is none', '400 INVALID_CURSOR', () => call('GET', '/payments?cursor=no-such-cursor'));
}

function summaryOf(
  listed: Awaited<ReturnType<Target['card']['listPayments']>> | { kind: string; unreadable?: readonly string[] },
) {
  return listed.kind === 'listed' ? `listed, ${listed.unreadable?.length ?? 0} unreadable` : listed;
}

/** Recorded from Square; a real one cannot be ordered. */
const webhook = {
  url: 'http://127.0.0.1:8787/api/webhooks/square',
  signatureKey: 'test-signature-key',
  body: Buffer.from('{"merchant_id":"MSIM","type":"payment.updated","event_id":"e-1"}'),
  signature: 'tI8K9fdE90uQgJ0Nclypf5m9fsTSt0lQIaNvlJi8abQ=',
};

async function checkBrowser(check: Check, { scriptUrl, hosts }: Target): Promise<void> {
  await check('the signature of a recorded webhook', 'signed', async () =>
    isSigned(webhook) ? 'signed' : 'not signed',
  );
  await check('the script of the card field', '200 javascript', async () => {
    const { status, headers } = await fetch(scriptUrl, { signal: AbortSignal.timeout(20_000) });
    return `${status} ${/javascript/.exec(headers.get('content-type') ?? '')?.[0] ?? 'no script'}`;
  });
  for (const host of hosts) {
    await check(host, 'answers', async () => {
      await fetch(host, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(20_000) });
      return 'answers';
    });
  }
}
