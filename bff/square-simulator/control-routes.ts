import { Hono } from 'hono';
import { z } from 'zod';
import type { CardFaults } from './card-faults.ts';
import { sellAtCounter } from './counter-sale.ts';
import { decideDispute, openDispute } from './disputes.ts';
import { faultSchema } from './faults.ts';
import type { Outbox } from './outbox.ts';
import type { Alarm } from './passage-of-time.ts';
import { adjustmentSchema, endPayout, payOut } from './payouts.ts';
import { forceRefund, refundsOf, settleRefund } from './refunds.ts';
import type { RequestLog } from './request-log.ts';
import type { World } from './world.ts';

export type Controls = {
  readonly world: World;
  readonly cardFaults: CardFaults;
  readonly outbox: Outbox;
  readonly alarm: Alarm;
  readonly requests: RequestLog;
  /** Restores the state of a fresh start without a data file. */
  readonly reset: () => void;
};

/** The controls for tests and developers: inspect the state, set faults, trigger events. */
export function controlRoutes(controls: Controls): Hono {
  const { world, outbox, alarm, requests } = controls;
  return new Hono()
    .route('/faults', faultRoutes(world))
    .route('/payments', paymentRoutes(world))
    .route('/refunds', refundRoutes(world))
    .route('/disputes', disputeRoutes(world))
    .route('/payouts', payoutRoutes(world))
    .post('/counter-sales', async (c) => {
      const parsed = counterSaleSchema.safeParse(await readJson(c.req.raw));
      if (!parsed.success) return c.json({ message: z.prettifyError(parsed.error) }, 400);
      return Response.json(sellAtCounter(world, parsed.data.amount).body);
    })
    .route('/events', eventRoutes(controls))
    .get('/requests', (c) => c.json({ requests: requests.list() }))
    .delete('/requests', (c) => {
      requests.clear();
      return c.body(null, 204);
    })
    .put('/webhook', async (c) => {
      const parsed = webhookSchema.safeParse(await readJson(c.req.raw));
      if (!parsed.success) return c.json({ message: z.prettifyError(parsed.error) }, 400);
      outbox.subscribe(parsed.data);
      return c.body(null, 204);
    })
    .patch('/settings', async (c) => {
      const parsed = settingsSchema.safeParse(await readJson(c.req.raw));
      if (!parsed.success) return c.json({ message: z.prettifyError(parsed.error) }, 400);
      Object.assign(world.settings, parsed.data);
      return c.json(world.settings);
    })
    .post('/clock', async (c) => {
      const parsed = clockSchema.safeParse(await readJson(c.req.raw));
      if (!parsed.success) return c.json({ message: z.prettifyError(parsed.error) }, 400);
      world.clock.advance(parsed.data.advanceSeconds * 1000);
      alarm.ring();
      return c.json({ now: world.clock.now() });
    })
    .post('/reset', (c) => {
      controls.reset();
      return c.body(null, 204);
    });
}

const webhookSchema = z.object({ url: z.url(), signatureKey: z.string().min(1) });
const clockSchema = z.object({ advanceSeconds: z.int().min(0) });
const forceRefundSchema = z.object({ paymentId: z.string(), amount: z.int().min(1) });
const settleSchema = z.object({ status: z.enum(['COMPLETED', 'FAILED', 'REJECTED']) });
const openDisputeSchema = z.object({ paymentId: z.string(), reason: z.string().default('NO_KNOWLEDGE') });
const decideDisputeSchema = z.object({ state: z.enum(['WON', 'LOST', 'ACCEPTED']) });
const counterSaleSchema = z.object({ amount: z.int().min(1) });
const payOutSchema = z.object({ adjustments: z.array(adjustmentSchema).default([]) });
const endPayoutSchema = z.object({ status: z.enum(['PAID', 'FAILED']) });
const milliseconds = z.number().min(0);
const settingsSchema = z
  .strictObject({
    refundSettlesAfterMs: milliseconds,
    approvesAfterMs: milliseconds,
    webhookDelayMs: milliseconds,
    payoutAfterMs: milliseconds,
    payoutArrivesAfterMs: milliseconds,
    webhookRetryScale: z.number().min(0),
    listLagMs: milliseconds,
    cancelByKeyOfCompleted: z.enum(['ignore', 'refuse']),
  })
  .partial();

function faultRoutes(world: World): Hono {
  return new Hono()
    .get('/', (c) => c.json({ faults: world.faults.list() }))
    .post('/', async (c) => {
      const parsed = faultSchema.safeParse(await readJson(c.req.raw));
      if (!parsed.success) return c.json({ message: z.prettifyError(parsed.error) }, 400);
      return c.json(world.faults.add(parsed.data), 201);
    })
    .delete('/', (c) => {
      world.faults.clear();
      return c.body(null, 204);
    })
    .delete('/:id', (c) => c.body(null, world.faults.remove(c.req.param('id')) ? 204 : 404));
}

function paymentRoutes(world: World): Hono {
  const withRefunds = (id: string) => ({
    ...world.store.state.payments.get(id),
    refunds: refundsOf(world, id),
  });
  return new Hono()
    .get('/', (c) => c.json({ payments: [...world.store.state.payments.keys()].map(withRefunds) }))
    .get('/:id', (c) => {
      const id = c.req.param('id');
      return world.store.state.payments.has(id)
        ? c.json(withRefunds(id))
        : c.json({ message: 'No such payment.' }, 404);
    });
}

function refundRoutes(world: World): Hono {
  return new Hono()
    .get('/', (c) => c.json({ refunds: [...world.store.state.refunds.values()] }))
    .post('/', async (c) => {
      const parsed = forceRefundSchema.safeParse(await readJson(c.req.raw));
      if (!parsed.success) return c.json({ message: z.prettifyError(parsed.error) }, 400);
      const { status, body } = forceRefund(world, parsed.data);
      return Response.json(body, { status });
    })
    .post('/:id/settle', async (c) => {
      const parsed = settleSchema.safeParse(await readJson(c.req.raw));
      if (!parsed.success) return c.json({ message: z.prettifyError(parsed.error) }, 400);
      const { status, body } = settleRefund(world, c.req.param('id'), parsed.data.status);
      return Response.json(body, { status });
    });
}

function disputeRoutes(world: World): Hono {
  return new Hono()
    .post('/', async (c) => {
      const parsed = openDisputeSchema.safeParse(await readJson(c.req.raw));
      if (!parsed.success) return c.json({ message: z.prettifyError(parsed.error) }, 400);
      const { status, body } = openDispute(world, parsed.data);
      return Response.json(body, { status });
    })
    .post('/:id/decide', async (c) => {
      const parsed = decideDisputeSchema.safeParse(await readJson(c.req.raw));
      if (!parsed.success) return c.json({ message: z.prettifyError(parsed.error) }, 400);
      const { status, body } = decideDispute(world, c.req.param('id'), parsed.data.state);
      return Response.json(body, { status });
    });
}

function payoutRoutes(world: World): Hono {
  return new Hono()
    .get('/', (c) => c.json({ payouts: [...world.store.state.payouts.values()] }))
    .post('/', async (c) => {
      const parsed = payOutSchema.safeParse((await readJson(c.req.raw)) ?? {});
      if (!parsed.success) return c.json({ message: z.prettifyError(parsed.error) }, 400);
      const { status, body } = payOut(world, parsed.data.adjustments);
      return Response.json(body, { status });
    })
    .post('/:id/end', async (c) => {
      const parsed = endPayoutSchema.safeParse(await readJson(c.req.raw));
      if (!parsed.success) return c.json({ message: z.prettifyError(parsed.error) }, 400);
      const { status, body } = endPayout(world, c.req.param('id'), parsed.data.status);
      return Response.json(body, { status });
    });
}

function eventRoutes({ world, outbox }: Controls): Hono {
  return new Hono()
    .get('/', (c) => c.json({ events: [...world.store.state.outbox.values()], deliveries: outbox.deliveries() }))
    .post('/:id/redeliver', (c) => c.body(null, outbox.redeliver(c.req.param('id')) ? 202 : 404));
}

/** @returns undefined for a body that is not JSON; every schema refuses it. */
async function readJson(request: Request): Promise<unknown> {
  return request.json().catch(() => undefined);
}
