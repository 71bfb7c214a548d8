import { setTimeout } from 'node:timers/promises';
import type { PaymentAnswer, PaymentAttemptAnswer } from '@kilim/bff/contract/payment';
import type { QuoteAnswer } from '@kilim/bff/contract/quote';
import type { RefundAnswer } from '@kilim/bff/contract/refunds';
import { addressOf } from '../../testing/child-server.ts';
import { twoRugs } from '../../testing/shop.ts';
import type { Told } from '../../testing/violations.ts';
import { type Administrator, refundOf } from '../chaos/administrator.ts';
import { type Paid, payment, type ServerAddresses } from '../chaos/customer.ts';
import { personNumber } from '../chaos/people.ts';

/** A server of another release may not know the seal of a session. */
export type Target = ServerAddresses & { readonly name: string; readonly admin: Administrator };

export type Sent = {
  /** `POST /api/quote` */
  readonly what: string;
  readonly server: string;
  readonly status: number | 'no answer';
  readonly text: string;
  readonly milliseconds: number;
};

/** As a load balancer sends customers and admins, without a pause. */
export type Traffic = {
  readonly sent: readonly Sent[];
  /** The ledger must keep the promises of the answers. */
  readonly told: readonly Told[];
  /**
   * New requests go to these servers in turn. Resolves when those to the others have ended, as a load balancer drains a
   * server.
   */
  readonly moveTo: (targets: readonly Target[]) => Promise<void>;
  /** Resolves when the requests under way have ended. */
  readonly stop: () => Promise<void>;
};

const customers = 4;
const refundEvery = 3;
/** Hundreds of refunds stay within the limits of a day. */
const refundCents = 100;
const pages = [
  'orders?pageSize=20',
  'orders?search=Zenobia',
  'refunds',
  'statistics',
  'books',
  'books/glance',
  'settings',
];

export function startTraffic(first: readonly Target[]): Traffic {
  const { send, sent, moveTo } = createSender(first);
  const told: Told[] = [];
  let stopped = false;

  const buy = async (number: number): Promise<Paid | undefined> => {
    const person = personNumber(number);
    const { body: quote } = await send<QuoteAnswer>('POST /api/quote', { ...twoRugs, customerInfo: person });
    if (quote === undefined) return undefined;
    const request = payment(quote, 'ok', person);
    const answer = await send<PaymentAnswer>('POST /api/process-payment', request);
    const paid = answer.body?.success ? answer.body : await outcomeOf(answer.status, request.idempotencyKey);
    if (paid === undefined) return undefined;
    const { orderId, paymentId } = paid;
    told.push({ key: request.idempotencyKey, outcome: 'paid', orderId, paymentId });
    await send(`GET /api/orders/payment/${paymentId}`);
    return { orderId, paymentId, cents: Math.round(quote.totalAmount * 100) };
  };

  /** A slow payment is answered 202, and the page then asks for its outcome. */
  const outcomeOf = async (status: Sent['status'], key: string) => {
    for (let tries = 0; status === 202 && tries < 50; tries += 1) {
      const { body: attempt } = await send<PaymentAttemptAnswer>(`GET /api/payment-attempts/${key}`);
      if (attempt?.status === 'captured') return attempt;
      await setTimeout(100);
    }
    return undefined;
  };

  const refund = async (paid: Paid) => {
    const request = refundOf(paid, refundCents);
    const { body } = await send<RefundAnswer>('POST /api/admin/refund', request);
    if (body !== undefined) told.push({ key: request.idempotencyKey, outcome: 'refund', status: body.status });
  };

  const shop = async (customer: number) => {
    for (let order = 0; !stopped; order += 1) {
      const paid = await buy(customer * 1000 + order);
      if (paid !== undefined && order % refundEvery === 0) await refund(paid);
      if (paid === undefined) await setTimeout(50);
    }
  };
  const read = async () => {
    for (let page = 0; !stopped; page += 1) {
      await send(`GET /api/admin/${pages[page % pages.length]}`);
      await setTimeout(20);
    }
  };

  const running = Promise.all([...Array.from({ length: customers }, (_, number) => shop(number)), read()]);
  return {
    sent,
    told,
    moveTo,
    stop: async () => {
      stopped = true;
      await running;
    },
  };
}

function createSender(first: readonly Target[]) {
  const sent: Sent[] = [];
  const underWay = new Set<Promise<unknown>>();
  let targets = first;
  let turn = 0;

  /** Absent after a failure, which `failuresIn` finds in `sent`. */
  const send = async <Body>(what: string, body?: unknown): Promise<{ status: Sent['status']; body?: Body }> => {
    const [method = '', path = ''] = what.split(' ');
    turn += 1;
    const target = targets[turn % targets.length];
    if (target === undefined) throw new Error('No server takes requests');
    const began = performance.now();
    const asked = fetch(addressOf(target, path), {
      method,
      headers: { 'content-type': 'application/json', cookie: target.admin.cookie },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
      .then(async (answered) => ({ status: answered.status, text: await answered.text() }))
      .catch((error: unknown) => ({ status: 'no answer' as const, text: `${error} ${(error as Error).cause}` }));
    underWay.add(asked);
    const { status, text } = await asked.finally(() => underWay.delete(asked));
    const milliseconds = Math.round(performance.now() - began);
    sent.push({ what: what.replace(/[\w-]{20,}/, ':id'), server: target.name, status, text, milliseconds });
    return isFailure(status) ? { status } : { status, body: JSON.parse(text) as Body };
  };
  const moveTo = async (next: readonly Target[]) => {
    targets = next;
    await Promise.all(underWay);
  };
  return { send, sent, moveTo };
}

/** Also when the page would repeat its request. */
export function failuresIn(sent: readonly Sent[]): readonly string[] {
  return sent
    .filter(({ status }) => isFailure(status))
    .map(({ what, server, status, text }) => `${what} at ${server}: ${status} ${text.slice(0, 200)}`);
}

function isFailure(status: Sent['status']): boolean {
  return status === 'no answer' || status >= 300;
}
