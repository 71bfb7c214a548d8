import { Hono } from 'hono';
import { getDispute, listDisputes } from './disputes.ts';
import { listPage, listQuery } from './listing.ts';
import { cancelPayment, cancelPaymentByKey, completePayment, createPayment, getPayment } from './payments.ts';
import { getPayout, listPayoutEntries, listPayouts } from './payouts.ts';
import { createRefund, getRefund } from './refunds.ts';
import { parseBody } from './request-body.ts';
import { type Answer, answerError, invalid, respond } from './wire.ts';
import type { World } from './world.ts';

export function apiRoutes(world: World): Hono {
  const api = new Hono();

  api.use(async (c, next) => {
    c.header('square-version', '2026-09-16');
    if (c.req.header('authorization') === `Bearer ${world.identity.accessToken}`) return next();
    const detail = 'This request could not be authorized.';
    return respond(answerError(401, { category: 'AUTHENTICATION_ERROR', code: 'UNAUTHORIZED', detail }));
  });

  /** The SDK sends no body for complete and cancel. */
  const post = (path: string, operate: (id: string, body: unknown) => Answer) =>
    api.post(path, async (c) => {
      const body = parseJson((await c.req.text()) || '{}');
      if (body === undefined) return respond(invalid('EXPECTED_JSON_BODY', 'Expected a JSON body.'));
      return respond(operate(c.req.param('id') ?? '', body.value));
    });

  post('/payments', (_, body) => createPayment(world, body));
  post('/payments/cancel', (_, body) => cancelPaymentByKey(world, body));
  post('/payments/:id/complete', (id, body) => completePayment(world, id, body));
  post('/payments/:id/cancel', (id, body) => cancelPayment(world, id, body));
  post('/refunds', (_, body) => createRefund(world, body));
  api.get('/locations/:id', (c) => respond(getLocation(world, c.req.param('id'))));
  api.get('/payments', (c) => respond(listPayments(world, c.req.query())));
  api.get('/payments/:id', (c) => respond(getPayment(world, c.req.param('id'))));
  api.get('/refunds', (c) => respond(listRefunds(world, c.req.query())));
  api.get('/disputes', (c) => respond(listDisputes(world, c.req.query())));
  api.get('/disputes/:id', (c) => respond(getDispute(world, c.req.param('id'))));
  api.get('/payouts', (c) => respond(listPayouts(world, c.req.query())));
  api.get('/payouts/:id', (c) => respond(getPayout(world, c.req.param('id'))));
  api.get('/payouts/:id/payout-entries', (c) => respond(listPayoutEntries(world, c.req.param('id'), c.req.query())));
  api.get('/refunds/:id', (c) => respond(getRefund(world, c.req.param('id'))));
  api.all('*', (c) => respond(invalid('NOT_FOUND', `The local Square does not know ${c.req.method} ${c.req.path}.`)));
  return api;
}

function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

function getLocation({ identity }: World, id: string): Answer {
  if (id !== identity.locationId) return invalid('NOT_FOUND', 'Location not found.');
  const location = { id, name: 'The local Square', status: 'ACTIVE', country: 'US', currency: 'USD' };
  return { status: 200, body: { location: { ...location, capabilities: ['CREDIT_CARD_PROCESSING'] } } };
}

type Query = Readonly<Record<string, string>>;

function listPayments(world: World, query: Query): Answer {
  const records = [...world.store.state.payments.values()];
  const entries = records.map(({ sequence, payment }) => ({ sequence, item: payment }));
  return answerPage(world, query, { name: 'payments', entries });
}

function listRefunds(world: World, query: Query): Answer {
  const records = [...world.store.state.refunds.values()];
  const entries = records.map(({ sequence, refund }) => ({ sequence, item: refund }));
  return answerPage(world, query, { name: 'refunds', entries });
}

type Listing = { readonly name: string; readonly entries: Parameters<typeof listPage>[0] };

/** Leaves an empty list out of the answer, as Square does. */
function answerPage(world: World, query: Query, { name, entries }: Listing): Answer {
  const parsed = parseBody(listQuery, query);
  if ('refusal' in parsed) return parsed.refusal;
  const page = listPage(entries, parsed.body, { now: world.clock.now(), lagMs: world.settings.listLagMs });
  if (page === undefined) return invalid('INVALID_CURSOR', 'The cursor is not ours.', 'cursor');
  const items = page.items.length === 0 ? {} : { [name]: page.items };
  return { status: 200, body: page.cursor === undefined ? items : { ...items, cursor: page.cursor } };
}
