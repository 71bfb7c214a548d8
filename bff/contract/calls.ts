import * as z from 'zod/mini';
import { accountingCalls } from './accounting-calls.ts';
import type { Calls } from './call.ts';
import { officeCalls } from './office-calls.ts';
import { peopleCalls } from './people-calls.ts';
import { secondFactorCalls } from './second-factor-calls.ts';
import { shopCalls } from './shop-calls.ts';

const health = z.object({ status: z.string() });
const readiness = z.object({ status: z.string() });

const machineCalls = {
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
} as const satisfies Calls;

export const callsOfOffice = { ...peopleCalls, ...officeCalls, ...accountingCalls, ...secondFactorCalls } as const;

/**
 * The server answers these calls. `npm run openapi` makes build/openapi.json of this table, and the tests compare it
 * with the router and with every answer that they see.
 */
export const calls = { ...shopCalls, ...machineCalls, ...callsOfOffice } as const satisfies Calls;
