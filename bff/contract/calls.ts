import * as z from 'zod/mini';
import { type Calls, withAccess } from './call.ts';
import { config } from './config.ts';
import { officeCalls } from './office-calls.ts';
import { paymentRequest, quoteRequest, saveOrderRequest } from './order-request.ts';
import { paid, paymentAttempt, paymentDeclined, paymentPending, priceChanged } from './payment.ts';
import { quote } from './quote.ts';
import { paidOrder, verification } from './receipt.ts';
import { secondFactorCalls } from './second-factor-calls.ts';
import { settings } from './settings.ts';

/*
 * The calls that the server answers, by method and path. `npm run openapi` makes build/openapi.json of this table, and
 * the tests compare it with the router and with every answer that they see. Only the server and the tests import it.
 */

const health = z.object({ status: z.string() });
const readiness = z.object({ status: z.string() });

/** The calls of customers, of Square and of operators. Anyone may make them, unless they name another access. */
const publicCalls = withAccess('anyone', {
  'GET /api/config': { summary: 'Tell how to pay here and who the business is', answers: { 200: config } },
  'GET /api/settings': { summary: 'Tell the public part of the settings', answers: { 200: settings } },
  'POST /api/quote': {
    summary: 'Price an order; stores and charges nothing',
    body: quoteRequest,
    answers: { 200: quote },
    problems: [422],
  },
  'POST /api/process-payment': {
    summary: 'Charge a card for an order',
    body: paymentRequest,
    answers: { 200: paid, 202: paymentPending, 402: paymentDeclined, 409: priceChanged },
    problems: [404, 409, 422],
  },
  'GET /api/payment-attempts/:key': {
    summary: 'Tell what became of an attempt to pay',
    answers: { 200: paymentAttempt },
    problems: [404],
  },
  'POST /api/save-order': {
    summary: 'Return the order that a payment paid; records nothing new',
    body: saveOrderRequest,
    answers: { 200: paidOrder },
    problems: [404, 409, 410, 422],
  },
  'GET /api/orders/payment/:paymentId': {
    summary: 'Return the order that a payment paid; the contact is masked unless this browser paid',
    answers: { 200: paidOrder },
    problems: [404, 410],
  },
  'GET /api/orders/payment/:paymentId/calendar': {
    summary: 'Download the day of an order as an entry for a calendar',
    answers: { 200: { mediaType: 'text/calendar' } },
    problems: [404, 410],
  },
  'GET /api/verify-payment/:paymentId': {
    summary: 'Tell whether a payment was captured; asks Square when the ledger does not know',
    answers: { 200: verification },
    problems: [404],
  },
  'POST /api/webhooks/square': {
    summary: 'Receive an event of Square',
    access: 'square-signature',
    body: z.looseObject({ event_id: z.string(), type: z.string() }),
    answers: { 200: z.object({ received: z.literal(true) }) },
    problems: [400, 401],
  },
  'GET /images/:name': {
    summary: 'Return an image that the back office uploaded',
    answers: { 200: { mediaType: 'image/webp' }, 404: { mediaType: 'text/plain' } },
  },
  'GET /.well-known/apple-developer-merchantid-domain-association': {
    summary: 'Return the file that registers this domain for Apple Pay',
    answers: { 200: { mediaType: 'text/plain' }, 404: { mediaType: 'text/plain' } },
  },
  'POST /api/csp-reports': {
    summary: 'Receive a report of a browser about a blocked resource',
    body: { mediaType: 'application/reports+json' },
    answers: { 204: null },
  },
  'GET /.well-known/security.txt': {
    summary: 'Tell where to report a weakness (RFC 9116)',
    answers: { 200: { mediaType: 'text/plain' }, 404: { mediaType: 'text/plain' } },
  },
  'GET /healthz': { summary: 'Tell whether the process answers', answers: { 200: health } },
  'GET /readyz': {
    summary: 'Tell whether the database answers and background jobs run',
    answers: { 200: readiness, 503: health },
  },
  'GET /metrics': {
    summary: 'Return the metrics for Prometheus',
    access: 'metrics-token',
    answers: { 200: { mediaType: 'text/plain' } },
    problems: [401, 404],
  },
});

export const calls: Calls = { ...publicCalls, ...officeCalls, ...secondFactorCalls };
