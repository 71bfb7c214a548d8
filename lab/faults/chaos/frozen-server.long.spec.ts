import { setTimeout } from 'node:timers/promises';
import { test } from 'vitest';
import { cloneDatabase } from '../../testing/postgres.ts';
import type { ChaosServer } from './chaos-server.ts';
import { ask, pay, payment, payPatiently, quotedBy } from './customer.ts';
import { openStage, type Stage } from './stage.ts';

// A frozen server's attempts stand between the intent to charge and the authorisation. The others settle them; Square
// is slow, so one gives an attempt up while another takes its money.

/** `KILIM_FREEZES=200` repeats the freeze. */
const freezes = Number(process.env['KILIM_FREEZES'] ?? 1);
const buyers = 12;
const slowAnswersMs = 4000;

// Shorter than a lease, as long, and much longer.
const freezings = [
  { servers: 2, frozenSeconds: [35, 9, 12, 5] },
  { servers: 3, frozenSeconds: [11, 35, 7, 33] },
];

test.concurrent.for(freezings)(
  'with $servers servers, each order that is bought during a freeze is charged exactly once',
  { timeout: 60_000 + freezes * 90_000 },
  async ({ servers, frozenSeconds }, { expect }) => {
    const database = await cloneDatabase();
    const stage = await openStage({ databaseUrl: database.url, ownerSql: database.ownerSql });
    try {
      await Promise.all(Array.from({ length: servers }, () => stage.start({ squareTimeoutSeconds: 10 })));
      for (let done = 0; done < freezes; done += 1) {
        const seconds = frozenSeconds[done % frozenSeconds.length] ?? 0;
        const orderIds = await buyInAFreeze(stage, seconds);
        expect(await stage.settled(), `freeze ${done + 1}, ${seconds} s`).toEqual([]);
        expect(await liveOf(stage, orderIds)).toEqual(orderIds.map(() => 1));
      }
    } finally {
      await stage.close();
      await database.drop();
    }
  },
);

/** @returns the orders, each of which should be paid. */
async function buyInAFreeze(stage: Stage, frozenSeconds: number): Promise<readonly string[]> {
  const [frozen, ...others] = stage.servers();
  const [other] = others;
  if (frozen === undefined || other === undefined) throw new Error('Too few servers');
  const quotes = await Promise.all(Array.from({ length: buyers }, () => quotedBy(other)));
  await frozen.arm('before authorize', 'hold', buyers);
  const requests = quotes.map((quote) => payment(quote, 'ok'));
  const paying: Promise<unknown>[] = [];
  // One after the other: on a busy machine some of many would be answered that they are pending, and held nowhere.
  for (const request of requests) {
    const reached = frozen.reached('before authorize').catch(() => undefined);
    const paid = payPatiently(stage, frozen, request);
    paying.push(paid);
    await Promise.race([reached, paid]);
  }

  const slow = { ms: slowAnswersMs, times: 1000 };
  stage.simulator.setFault({ kind: 'stall-body', method: 'GET', path: '/v2/payments', ...slow });
  stage.simulator.setFault({ kind: 'delay', path: '/v2/payments/*/complete', ...slow });
  frozen.freeze();
  await frozen.release();
  const buying = requests.map((request, buyer) => {
    const quote = quotes[buyer];
    if (quote === undefined) throw new Error('A request without a quote');
    return buyPatiently(stage, () => payment(quote, 'ok'), { request, server: others[buyer % others.length] ?? other });
  });
  await setTimeout(frozenSeconds * 1000);
  frozen.thaw();
  await setTimeout(2 * slowAnswersMs);
  await stage.square.clearFaults();
  await Promise.all([...buying, ...paying]);
  return quotes.map(({ orderId }) => orderId);
}

type Attempt = { readonly request: ReturnType<typeof payment>; readonly server: ChaosServer };

/** Pays again when the attempt charged nothing. */
async function buyPatiently(
  stage: Stage,
  another: () => Attempt['request'],
  { request, server }: Attempt,
): Promise<void> {
  for (let current = request; ; ) {
    const attempt = await ask(stage, current.idempotencyKey);
    if (attempt !== undefined && attempt !== 'not-found') {
      if (attempt.status === 'captured') return;
      if (attempt.status !== 'pending') {
        current = another();
        await pay(stage, server, current);
        continue;
      }
    }
    await setTimeout(200);
  }
}

async function liveOf(stage: Stage, orderIds: readonly string[]): Promise<readonly number[]> {
  const live = new Set(['COMPLETED', 'APPROVED', 'PENDING']);
  const payments = await stage.square.payments();
  return orderIds.map(
    (orderId) =>
      payments.filter(({ payment: { reference_id, status } }) => reference_id === orderId && live.has(status)).length,
  );
}
