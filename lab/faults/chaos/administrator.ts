import { setTimeout } from 'node:timers/promises';
import type { RefundAnswer } from '@kilim/bff/contract/refunds';
import { addressOf } from '../../testing/child-server.ts';
import { cookiesOf } from '../../testing/sign-in.ts';
import type { ChaosServer } from './chaos-server.ts';
import { type Paid, post, readJson, type ServerAddresses, type Shopping } from './customer.ts';
import type { RefundPlan } from './plan.ts';
import { adminPassword } from './stage.ts';

export type Administrator = { cookie: string };

export async function signIn(server: ServerAddresses): Promise<Administrator> {
  const answer = await signInPatiently(server);
  if (answer.status !== 200) throw new Error(`Not signed in: ${answer.status} ${await answer.text()}`);
  return { cookie: cookiesOf(answer) };
}

/** Retries a 503: a new server may not reach its database yet. */
async function signInPatiently(server: ServerAddresses): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const answer = await post(server, '/api/admin/login', { username: 'admin', password: adminPassword });
    if (answer.status !== 503 || tries === 10) return answer;
    await setTimeout(500);
  }
}

export type RefundRequest = {
  readonly paymentId: string;
  readonly amount: number;
  readonly reason: string;
  readonly refundType: 'full' | 'partial';
  readonly idempotencyKey: string;
};

export function refundOf({ paymentId }: Paid, cents: number): RefundRequest {
  const idempotencyKey = crypto.randomUUID();
  return { paymentId, amount: cents / 100, reason: 'Goodwill', refundType: 'partial', idempotencyKey };
}

export type RefundAnswered = {
  readonly status: number;
  readonly body: Partial<RefundAnswer> & { readonly code?: string; readonly remaining?: number | null };
};

export async function requestRefund(
  stage: Shopping,
  server: ChaosServer,
  { admin, request }: { readonly admin: Administrator; readonly request: RefundRequest },
): Promise<RefundAnswered | undefined> {
  const asking = fetch(addressOf(server, '/api/admin/refund'), {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: admin.cookie },
    body: JSON.stringify(request),
  });
  const answered = (await readJson(stage, asking)) as RefundAnswered | undefined;
  const key = request.idempotencyKey;
  const { status } = answered?.body ?? {};
  if (answered?.status === 201 && status !== undefined) stage.told.push({ key, outcome: 'refund', status });
  if (answered?.status === 409) stage.told.push({ key, outcome: 'not-refunded' });
  return answered;
}

/** Retries a 503, as the dialog does: see `payPatiently`. */
export async function requestRefundPatiently(
  ...refunding: Parameters<typeof requestRefund>
): Promise<RefundAnswered | undefined> {
  for (;;) {
    const answered = await requestRefund(...refunding);
    if (answered?.status !== 503) return answered;
    await setTimeout(200);
  }
}

export type Refunding = {
  readonly stage: Shopping;
  readonly admin: Administrator;
  readonly complaints: string[];
  readonly deadline: () => number;
};

/** Repeats the same request until it is answered, as the dialog does. */
export async function refund(refunding: Refunding, paid: Paid, { percent, clicks }: RefundPlan): Promise<boolean> {
  const { stage, admin, complaints } = refunding;
  const request = refundOf(paid, Math.max(1, Math.floor((paid.cents * percent) / 100)));
  while (Date.now() < refunding.deadline()) {
    const alive = stage.servers();
    const sent = Array.from({ length: clicks }, async (_, click) => {
      const server = alive[click % Math.max(alive.length, 1)];
      return server === undefined ? undefined : requestRefund(stage, server, { admin, request });
    });
    const answers = await Promise.all(sent);
    if (await signsInAgain(refunding, answers)) continue;
    for (const answered of answers) {
      if (answered !== undefined && ![201, 409, 503].includes(answered.status)) {
        complaints.push(`a refund was answered ${answered.status} ${JSON.stringify(answered.body)}`);
      }
    }
    if (answers.some((answered) => answered?.status === 201 || answered?.status === 409)) return true;
    await setTimeout(100);
  }
  return false;
}

/**
 * When the session has ended or a refund needs a fresh password, as after a step of the database's clock.
 * @returns whether an answer asked for it.
 */
export async function signsInAgain(
  { stage, admin }: Refunding,
  answers: readonly ({ readonly status: number } | undefined)[],
): Promise<boolean> {
  if (!answers.some((answered) => answered?.status === 401 || answered?.status === 403)) return false;
  const server = stage.servers().find((each) => !each.isFrozen());
  const renewed = server === undefined ? undefined : await signIn(server).catch(() => undefined);
  if (renewed === undefined) await setTimeout(100);
  else admin.cookie = renewed.cookie;
  return true;
}
