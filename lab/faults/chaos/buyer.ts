import { setTimeout } from 'node:timers/promises';
import type { PaymentRequest } from '@kilim/bff/contract/order-request';
import type { QuoteAnswer } from '@kilim/bff/contract/quote';
import type { ChaosServer } from './chaos-server.ts';
import { ask, type Paid, type Person, pay, payment, quotedBy, type Shopping } from './customer.ts';
import type { BuyerPlan } from './plan.ts';

export type Buying = {
  readonly stage: Shopping;
  readonly plan: BuyerPlan;
  readonly person: Person;
  readonly complaints: string[];
  readonly deadline: () => number;
  readonly times: { began?: number; paid?: number };
};

/** Tries the next card only after an attempt charged nothing. */
export async function buy(buying: Buying): Promise<Paid | undefined> {
  const { plan, person, times } = buying;
  await setTimeout(plan.startsAtMs);
  times.began = Date.now();
  const quote = await untilAnswered(buying, (server) => quotedBy(server, person));
  if (quote === undefined) return undefined;
  for (let tries = 0; Date.now() < buying.deadline(); tries += 1) {
    const card = plan.cards[Math.min(tries, plan.cards.length - 1)] ?? 'ok';
    const paid = await tryCard(buying, quote, payment(quote, card, person));
    if (paid !== undefined) {
      times.paid = Date.now();
      return paid;
    }
  }
  return undefined;
}

/** Undefined when it charged nothing. */
async function tryCard(buying: Buying, quote: QuoteAnswer, request: PaymentRequest): Promise<Paid | undefined> {
  const cents = Math.round(quote.totalAmount * 100);
  while (Date.now() < buying.deadline()) {
    for (const answered of await sendCopies(buying, request)) {
      if (answered?.body.success) return { ...answered.body, cents };
    }
    const attempt = await waitFor(buying, request.idempotencyKey);
    if (attempt === undefined) return undefined;
    // The server does not know the attempt: the same request again.
    if (attempt === 'not-found') continue;
    return attempt.status === 'captured'
      ? { orderId: attempt.orderId, paymentId: attempt.paymentId, cents }
      : undefined;
  }
  return undefined;
}

const expectedStatuses = new Set([200, 202, 402, 503]);

async function sendCopies({ stage, plan, complaints }: Buying, request: PaymentRequest) {
  const copies = Array.from({ length: plan.copies }, async (_, copy) => {
    await setTimeout(copy * 10);
    const alive = stage.servers();
    const server = alive[copy % Math.max(alive.length, 1)];
    if (server === undefined) return undefined;
    const answering = pay(stage, server, request);
    const answered =
      plan.hangsUpAfterMs === undefined
        ? await answering
        : await Promise.race([answering, setTimeout(plan.hangsUpAfterMs, undefined)]);
    if (answered !== undefined && !expectedStatuses.has(answered.status)) {
      complaints.push(`a request to pay was answered ${answered.status} ${JSON.stringify(answered.body)}`);
    }
    return answered;
  });
  return Promise.all(copies);
}

async function waitFor({ stage, deadline }: Buying, key: string) {
  while (Date.now() < deadline()) {
    const attempt = await ask(stage, key);
    if (attempt === 'not-found' || (attempt !== undefined && attempt.status !== 'pending')) return attempt;
    await setTimeout(40);
  }
  return undefined;
}

async function untilAnswered<Answer>(
  { stage, deadline }: Buying,
  question: (server: ChaosServer) => Promise<Answer>,
): Promise<Answer | undefined> {
  while (Date.now() < deadline()) {
    const [server] = stage.servers();
    const answer = server === undefined ? undefined : await question(server).catch(() => undefined);
    if (answer !== undefined) return answer;
    await setTimeout(50);
  }
  return undefined;
}
