import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { PaymentAnswer, PaymentAttemptAnswer, PaymentRequest, QuoteAnswer } from '../../src/http/shop/wire.ts';
import { twoRugs } from '../../testing/shop.ts';
import type { ChaosServer } from './chaos-server.ts';
import type { Stage } from './stage.ts';

/** Somebody with a browser, who is told things and remembers them. */
export type Person = {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly address: string;
  readonly city: string;
  readonly state: string;
  readonly zipCode: string;
};

export type Paid = { readonly orderId: string; readonly paymentId: string; readonly cents: number };

export async function post(server: ChaosServer, path: string, body: unknown): Promise<Response> {
  return fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Single-use, as the browser's card field mints it: `ok`, `declined`, `answer-lost`, ... */
function mint(outcome: string): string {
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

/** What a request to pay was answered; nothing when there was no answer. */
export type Answered = { readonly status: number; readonly body: PaymentAnswer & { readonly code?: string } };

export async function pay(stage: Stage, server: ChaosServer, request: PaymentRequest): Promise<Answered | undefined> {
  const answered = (await readJson(stage, post(server, '/api/process-payment', request))) as Answered | undefined;
  if (answered === undefined) return undefined;
  remember(stage, request, answered);
  return answered;
}

/** Somebody whose order is paid before anything goes wrong: on a busy machine after the second or third try. */
export async function paidOrder(stage: Stage, server: ChaosServer, card = 'ok'): Promise<Paid> {
  const quote = await quotedBy(server);
  const cents = Math.round(quote.totalAmount * 100);
  let request = payment(quote, card);
  for (let tries = 1; tries <= 10; tries += 1) {
    const answered = await pay(stage, server, request);
    if (answered?.body.success) return { ...answered.body, cents };
    if (answered?.status === 202) {
      const attempt = await outcomeOf(stage, request.idempotencyKey);
      if (attempt !== 'unheard' && attempt.status === 'captured') return { ...attempt, cents };
      request = payment(quote, card);
      // Told to try again: nothing was recorded, or it is found by its key.
    } else if (answered?.status === 503) await setTimeout(500);
    else throw new Error(`Not paid: ${answered?.status}`);
  }
  throw new Error('Not paid after ten tries');
}

/** Undefined when no whole answer came. What came is kept. */
export async function readJson(
  { answers }: Stage,
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

function remember({ told }: Stage, { idempotencyKey: key }: PaymentRequest, { status, body }: Answered): void {
  if (body.success) {
    const { orderId, paymentId } = body;
    told.push({ key, outcome: 'paid', orderId, paymentId });
  } else if (status === 402) {
    told.push({ key, outcome: 'not-charged' });
  }
}

/** What the page that waits is told. `unheard`: no such attempt has arrived. */
export async function ask(stage: Stage, key: string): Promise<PaymentAttemptAnswer | 'unheard' | undefined> {
  // As behind a load balancer, which asks no server that does not answer.
  const alive = stage.servers();
  const server = alive.find((each) => !each.isFrozen()) ?? alive[0];
  const answer = await readJson(stage, fetch(`${server?.url}/api/payment-attempts/${key}`));
  if (answer?.status === 404) return 'unheard';
  if (answer?.status !== 200) return undefined;
  const attempt = answer.body as PaymentAttemptAnswer;
  if (attempt.status === 'captured') {
    const { orderId, paymentId } = attempt;
    stage.told.push({ key, outcome: 'paid', orderId, paymentId });
  }
  if (attempt.status === 'declined' || attempt.status === 'voided') stage.told.push({ key, outcome: 'not-charged' });
  return attempt;
}

/** Waits as the page does, until the attempt is over or is not known. Its request is over, so that others may go on with it at once. */
export async function outcomeOf(
  stage: Stage,
  key: string,
  withinMs = 30_000,
): Promise<Exclude<PaymentAttemptAnswer, { status: 'pending' }> | 'unheard'> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    await stage.expireLeases();
    const attempt = await ask(stage, key);
    if (attempt === 'unheard' || (attempt !== undefined && attempt.status !== 'pending')) return attempt;
    if (Date.now() > deadline) throw new Error(`The attempt ${key} is in doubt after ${withinMs} ms`);
    await setTimeout(100);
  }
}
