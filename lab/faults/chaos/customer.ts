import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { PaymentRequest } from '@kilim/bff/contract/order-request';
import type { PaymentAnswer, PaymentAttemptAnswer } from '@kilim/bff/contract/payment';
import type { QuoteAnswer } from '@kilim/bff/contract/quote';
import { addressOf } from '../../testing/child-server.ts';
import { twoRugs } from '../../testing/shop.ts';
import type { ChaosServer } from './chaos-server.ts';
import type { Stage } from './stage.ts';

export type ServerAddresses = Pick<ChaosServer, 'url' | 'officeUrl'>;

export type Person = {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly address: string;
  readonly city: string;
  readonly state: string;
  readonly zipCode: string;
};

export type Shopping = Pick<Stage, 'servers' | 'told' | 'answers'>;

export type Paid = { readonly orderId: string; readonly paymentId: string; readonly cents: number };

export async function post(server: ServerAddresses, path: string, body: unknown): Promise<Response> {
  return fetch(addressOf(server, path), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Single-use, as the card field makes it: `ok`, `declined`, `answer-lost`. */
export function mint(outcome: string): string {
  return `cnon:sim-${outcome}-${randomBytes(12).toString('hex')}`;
}

export async function quotedBy(server: ChaosServer, person?: Person): Promise<QuoteAnswer> {
  const answer = await post(server, '/api/quote', { ...twoRugs, ...(person && { customerInfo: person }) });
  if (answer.status !== 200) throw new Error(`No quote: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as QuoteAnswer;
}

export function payment(quote: QuoteAnswer, outcome: string, person?: Person): PaymentRequest {
  return {
    token: mint(outcome),
    amount: quote.totalAmount,
    idempotencyKey: crypto.randomUUID(),
    orderDetails: { ...twoRugs, ...(person && { customerInfo: person }), orderId: quote.orderId },
  };
}

export type Answered = { readonly status: number; readonly body: PaymentAnswer & { readonly code?: string } };

export async function pay(
  stage: Shopping,
  server: ChaosServer,
  request: PaymentRequest,
): Promise<Answered | undefined> {
  const answered = (await readJson(stage, post(server, '/api/process-payment', request))) as Answered | undefined;
  if (answered === undefined) return undefined;
  remember(stage, request, answered);
  return answered;
}

/** Retries a 503, as the page does: a busy server may be too slow to record the payment. The test's limit ends it. */
export async function payPatiently(
  stage: Shopping,
  server: ChaosServer,
  request: PaymentRequest,
): Promise<Answered | undefined> {
  for (;;) {
    const answered = await pay(stage, server, request);
    if (answered?.status !== 503) return answered;
    await setTimeout(200);
  }
}

const paidOrderWithinMs = 60_000;

/** Before the test begins; retried, because the machine may be busy. */
export async function paidOrder(
  stage: Stage,
  server: ChaosServer,
  card = 'ok',
): Promise<Paid & { readonly request: PaymentRequest }> {
  const quote = await quotedBy(server);
  const cents = Math.round(quote.totalAmount * 100);
  let request = payment(quote, card);
  const deadline = Date.now() + paidOrderWithinMs;
  const answers: string[] = [];
  while (Date.now() < deadline) {
    const answered = await pay(stage, server, request);
    answers.push(String(answered?.status));
    if (answered?.body.success) return { ...answered.body, cents, request };
    if (answered?.status === 202) {
      const attempt = await outcomeOf(stage, request.idempotencyKey);
      if (attempt !== 'not-found' && attempt.status === 'captured') return { ...attempt, cents, request };
      request = payment(quote, card);
      // The same key after a 503 or a lost answer: nothing was recorded, or the key finds it.
    } else if (answered === undefined || answered.status === 503) await setTimeout(500);
    else throw new Error(`Not paid: ${answered.status}`);
  }
  throw new Error(`Not paid, but answered with ${answers.join(', ')}:\n${server.output().slice(-3000)}`);
}

/** Undefined without a complete answer. Keeps each answer for the search for leaks. */
export async function readJson(
  { answers }: Pick<Shopping, 'answers'>,
  answering: Promise<Response>,
): Promise<{ readonly status: number; readonly body: unknown } | undefined> {
  try {
    const answer = await answering;
    const text = await answer.text();
    answers.push(text);
    return { status: answer.status, body: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function remember(
  { told }: Pick<Shopping, 'told'>,
  { idempotencyKey: key }: PaymentRequest,
  { status, body }: Answered,
): void {
  if (body.success) {
    const { orderId, paymentId } = body;
    told.push({ key, outcome: 'paid', orderId, paymentId });
  } else if (status === 402) {
    told.push({ key, outcome: 'not-charged' });
  }
}

/** As the waiting page does. `not-found`: the server does not know the attempt. */
export async function ask(stage: Shopping, key: string): Promise<PaymentAttemptAnswer | 'not-found' | undefined> {
  // A load balancer sends no request to a silent server.
  const alive = stage.servers();
  const server = alive.find((each) => !each.isFrozen()) ?? alive[0];
  const answer = await readJson(stage, fetch(`${server?.url}/api/payment-attempts/${key}`));
  if (answer?.status === 404) return 'not-found';
  if (answer?.status !== 200) return undefined;
  const attempt = answer.body as PaymentAttemptAnswer;
  if (attempt.status === 'captured') {
    const { orderId, paymentId } = attempt;
    stage.told.push({ key, outcome: 'paid', orderId, paymentId });
  }
  if (attempt.status === 'declined' || attempt.status === 'voided') stage.told.push({ key, outcome: 'not-charged' });
  return attempt;
}

/** Over or unknown. Expires the leases, so that no wait is needed. */
export async function outcomeOf(
  stage: Stage,
  key: string,
  withinMs = 30_000,
): Promise<Exclude<PaymentAttemptAnswer, { status: 'pending' }> | 'not-found'> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    await stage.expireLeases();
    const attempt = await ask(stage, key);
    if (attempt === 'not-found' || (attempt !== undefined && attempt.status !== 'pending')) return attempt;
    if (Date.now() > deadline) throw new Error(`The attempt ${key} is in doubt after ${withinMs} ms`);
    await setTimeout(100);
  }
}
