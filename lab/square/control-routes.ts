import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { z } from 'zod';
import type { CardFaults } from './card-faults.ts';
import { decideDispute, openDispute } from './disputes.ts';
import { faultSchema } from './faults.ts';
import { historySchema, recordHistory } from './history.ts';
import type { Outbox } from './outbox.ts';
import type { Alarm } from './passage-of-time.ts';
import { payByLink, sellAtCounter } from './payments.ts';
import { adjustmentSchema, endPayout, payOut } from './payouts.ts';
import { forceRefund, refundsOf, settleRefund } from './refunds.ts';
import type { RequestLog } from './request-log.ts';
import { disputeStates, respond } from './wire.ts';
import type { World } from './world.ts';

export type Controls = {
  readonly world: World;
  readonly cardFaults: CardFaults;
  readonly outbox: Outbox;
  readonly alarm: Alarm;
  readonly requests: RequestLog;
  /** As after a fresh start without a data file. */
  readonly reset: () => void;
};

export function controlRoutes(controls: Controls): Hono {
  const { world, outbox, alarm, requests } = controls;
  return new Hono()
    .route('/faults', faultRoutes(world))
    .route('/payments', paymentRoutes(world))
    .route('/refunds', refundRoutes(world))
    .route('/disputes', disputeRoutes(world))
    .route('/payouts', payoutRoutes(world))
    .post('/counter-sales', body(saleSchema), (c) => respond(sellAtCounter(world, c.var.body.amount)))
    .post('/link-payments', body(saleSchema), (c) => respond(payByLink(world, c.var.body.amount)))
    .post('/history', body(historySchema), (c) => {
      recordHistory(world, c.var.body);
      return c.body(null, 204);
    })
    .route('/events', eventRoutes(controls))
    .get('/requests', (c) => c.json({ requests: requests.list() }))
    .delete('/requests', (c) => {
      requests.clear();
      return c.body(null, 204);
    })
    .put('/webhook', body(webhookSchema), (c) => {
      outbox.subscribe(c.var.body);
      return c.body(null, 204);
    })
    .patch('/settings', body(settingsSchema), (c) => {
      Object.assign(world.settings, c.var.body);
      return c.json(world.settings);
    })
    .post('/clock', body(clockSchema), (c) => {
      world.clock.advance(c.var.body.advanceSeconds * 1000);
      alarm.ring();
      return c.json({ now: world.clock.now() });
    })
    .post('/reset', (c) => {
      controls.reset();
      return c.body(null, 204);
    });
}

/** The handler takes it from `c.var.body`. No schema fits a body that is not JSON. */
function body<Schema extends z.ZodType>(schema: Schema) {
  return createMiddleware<{ Variables: { body: z.output<Schema> } }>(async (c, next) => {
    const parsed = schema.safeParse(await c.req.raw.json().catch(() => undefined));
    if (!parsed.success) return c.json({ message: z.prettifyError(parsed.error) }, 400);
    c.set('body', parsed.data);
    return next();
  });
}

const webhookSchema = z.object({ url: z.url(), signatureKey: z.string().min(1) });
const clockSchema = z.object({ advanceSeconds: z.int().min(0) });
const forceRefundSchema = z.object({ paymentId: z.string(), amount: z.int().min(1) });
const settleSchema = z.object({ status: z.enum(['COMPLETED', 'FAILED', 'REJECTED']) });
const openDisputeSchema = z.object({
  paymentId: z.string(),
  reason: z.string().default('NO_KNOWLEDGE'),
  state: z.enum(['EVIDENCE_REQUIRED', 'INQUIRY_EVIDENCE_REQUIRED']).default('EVIDENCE_REQUIRED'),
});
const decideDisputeSchema = z.object({ state: z.enum(disputeStates) });
const saleSchema = z.object({ amount: z.int().min(1) });
const payOutSchema = z.object({ adjustments: z.array(adjustmentSchema).default([]) }).prefault({});
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
    hostile: z.boolean(),
  })
  .partial();

function faultRoutes(world: World): Hono {
  return new Hono()
    .get('/', (c) => c.json({ faults: world.faults.list() }))
    .post('/', body(faultSchema), (c) => c.json(world.faults.add(c.var.body), 201))
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
    .post('/', body(forceRefundSchema), (c) => respond(forceRefund(world, c.var.body)))
    .post('/:id/settle', body(settleSchema), (c) => respond(settleRefund(world, c.req.param('id'), c.var.body.status)));
}

function disputeRoutes(world: World): Hono {
  return new Hono()
    .post('/', body(openDisputeSchema), (c) => respond(openDispute(world, c.var.body)))
    .post('/:id/decide', body(decideDisputeSchema), (c) =>
      respond(decideDispute(world, c.req.param('id'), c.var.body.state)),
    );
}

function payoutRoutes(world: World): Hono {
  return new Hono()
    .get('/', (c) => c.json({ payouts: [...world.store.state.payouts.values()] }))
    .post('/', body(payOutSchema), (c) => respond(payOut(world, c.var.body.adjustments)))
    .post('/:id/end', body(endPayoutSchema), (c) => respond(endPayout(world, c.req.param('id'), c.var.body.status)));
}

function eventRoutes({ world, outbox }: Controls): Hono {
  return new Hono()
    .get('/', (c) => c.json({ events: [...world.store.state.outbox.values()], deliveries: outbox.deliveries() }))
    .post('/:id/redeliver', (c) => c.body(null, outbox.redeliver(c.req.param('id')) ? 202 : 404));
}
