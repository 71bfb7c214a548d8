import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Context, Hono } from 'hono';
import { z } from 'zod';
import type { Sql } from '../database/database.ts';
import { keepHint, type ReceivedHint } from '../ledger/square-hints.ts';
import { withinMs } from '../runtime/deadline.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { answerProblem, unavailable } from './problem.ts';
import type { RequestEnv } from './request-id.ts';
import type { OpenName, Serve } from './serve.ts';
import { jsonOf } from './validate.ts';

export type SquareWebhooks = {
  /** The exact address registered at Square, never taken from the request: Square signs it. */
  readonly url: string;
  /** Absent: all webhooks are refused. */
  readonly signatureKey: string | undefined;
  /** Other processes find the row by polling. */
  readonly wake: () => void;
  readonly signs: WebhookSigns;
};

/** What the last webhook said of the configuration, until the watch of the server takes it. */
export type WebhookSigns = { last?: 'right' | { readonly mistake: string } | undefined };

export type SquareWebhooksOptions = SquareWebhooks & {
  readonly sql: Sql;
  readonly log: Logger;
  readonly metrics: Metrics;
};

/** Square waits ten seconds for an answer. */
const keepWithinMs = 800;
/** Square delivers a few webhooks at a time, and repeats refused ones. */
const mostAtOnce = 50;

/**
 * A webhook is only a hint that names a changed object: nothing is appended here, so a forged, replayed or late one
 * cannot record a false fact.
 */
export function serveSquareWebhooks(
  serve: Serve<OpenName>,
  app: Hono<RequestEnv>,
  options: SquareWebhooksOptions,
): void {
  let beingServed = 0;
  const handler = async (c: Context<RequestEnv>) => {
    if (beingServed >= mostAtOnce) {
      options.metrics.webhooks.inc({ outcome: 'unavailable' });
      return answerProblem(c, unavailable);
    }
    beingServed += 1;
    try {
      return await receive(c, options);
    } finally {
      beingServed -= 1;
    }
  };
  serve('POST /api/webhooks/square', handler);
  // Refused by its signature, so that the mistake is named.
  app.all('/api/webhooks/square/', handler);
}

async function receive(c: Context<RequestEnv>, options: SquareWebhooksOptions) {
  const { log, metrics } = options;
  const requestId = c.get('requestId');
  // The signature covers the raw bytes.
  const body = Buffer.from(await c.req.arrayBuffer());
  const signed = { ...options, body, signature: c.req.header('x-square-hmacsha256-signature') };
  if (!isSigned(signed)) {
    metrics.webhooks.inc({ outcome: 'forged' });
    const signedFor = neighborOf(signed, c.req.header('host'));
    if (signedFor !== undefined) options.signs.last = { mistake: mistakeOf(signedFor, options.url) };
    log.warn({ requestId, expected: options.url, signedFor }, 'a webhook without a valid signature was refused');
    return answerProblem(c, { status: 401, code: 'NotSigned', message: 'The signature is missing or wrong.' });
  }
  options.signs.last = 'right';
  const parsed = parseEvent(body);
  if (parsed === 'malformed') {
    metrics.webhooks.inc({ outcome: 'malformed' });
    log.error({ requestId }, 'a webhook with a valid signature could not be parsed');
    return answerProblem(c, {
      status: 400,
      code: 'Malformed',
      message: 'This is not an event as Square describes it.',
    });
  }
  if (parsed === 'of-no-interest') {
    metrics.webhooks.inc({ outcome: 'of-no-interest' });
    return c.json({ received: true });
  }
  const kept = await keepInTime(options, parsed);
  metrics.webhooks.inc({ outcome: kept });
  if (kept === 'unavailable') return answerProblem(c, unavailable);
  if (kept === 'kept') options.wake();
  return c.json({ received: true });
}

type SignedBody = {
  readonly url: string;
  readonly signatureKey: string | undefined;
  readonly body: Uint8Array;
  readonly signature: string | undefined;
};

/**
 * Verifies base64(HMAC-SHA256(registered address + raw body)), in constant time: Square's SDK compares the strings with
 * `===`.
 */
export function isSigned({ url, signatureKey, body, signature = '' }: SignedBody): boolean {
  if (signatureKey === undefined || signatureKey === '') return false;
  const expected = createHmac('sha256', signatureKey).update(url).update(body).digest();
  const given = Buffer.from(signature, 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** A notification of Square is far smaller. Each address costs a hash of the body, also when a stranger sent it. */
const mostBytesToExplain = 32_768;

/**
 * Tries addresses that are easily registered at Square by mistake.
 * @returns the one that the signature is for, which proves who sent the body.
 */
function neighborOf(signed: SignedBody, askedHost: string | undefined): string | undefined {
  if (signed.signature === undefined || signed.body.length > mostBytesToExplain) return undefined;
  const { host, pathname, search } = new URL(signed.url);
  const hosts = new Set([host, host.startsWith('www.') ? host.slice(4) : `www.${host}`, askedHost ?? host]);
  const path = pathname.replace(/\/$/, '');
  return ['https:', 'http:']
    .flatMap((scheme) =>
      [...hosts].flatMap((at) => [path, `${path}/`].map((place) => `${scheme}//${at}${place}${search}`)),
    )
    .find((url) => isSigned({ ...signed, url }));
}

function mistakeOf(signedFor: string, expected: string): string {
  return `Square sends them to ${signedFor}, but the server expects ${expected}: correct the one at Square, or SQUARE_WEBHOOK_URL`;
}

const name = z.string().regex(/^[!-~]{1,100}$/);

const event = z.object({
  event_id: name,
  type: name,
  data: z
    .object({
      id: z.string().optional(),
      object: z.record(z.string(), z.unknown()).nullish(),
    })
    .nullish(),
});

const squareId = z.string().regex(/^[A-Za-z0-9_-]{1,255}$/);
const subjects = ['payment', 'refund', 'dispute', 'payout'] as const;

function parseEvent(body: Buffer): ReceivedHint | 'malformed' | 'of-no-interest' {
  const parsed = event.safeParse(jsonOf(body.toString('utf8')));
  if (!parsed.success) return 'malformed';
  const { event_id: eventId, type: eventType, data } = parsed.data;
  const subject = subjects.find((candidate) => eventType.startsWith(`${candidate}.`));
  if (subject === undefined) return 'of-no-interest';
  // Prefer the object's own id: `data.id` may name a part of it, such as the evidence of a dispute.
  const about = z.object({ id: squareId }).safeParse(data?.object?.[subject]);
  const id = about.success ? about.data.id : squareId.safeParse(data?.id).data;
  return id === undefined ? 'malformed' : { eventId, eventType, subject, squareId: id };
}

/** If storing takes too long, Square repeats the webhook, and an event is stored once. */
async function keepInTime({ sql, log }: SquareWebhooksOptions, hint: ReceivedHint) {
  try {
    return (await withinMs(keepWithinMs, keepHint(sql, hint))) ? 'kept' : 'repeated';
  } catch (error) {
    log.error({ err: error, eventId: hint.eventId }, 'storing a webhook failed; Square will repeat it');
    return 'unavailable';
  }
}
