import { createHash, timingSafeEqual } from 'node:crypto';
import { createMiddleware } from 'hono/factory';
import { routePath } from 'hono/route';
import { clockOffSeconds } from '../database/cluster.ts';
import type { Sql } from '../database/database.ts';
import { readBacklog } from '../ledger/backlog.ts';
import { readHeartbeats } from '../ledger/jobs.ts';
import type { RoomGauge } from '../room.ts';
import { withinMs } from '../runtime/deadline.ts';
import type { BacklogGauges, JobGauges, Metrics } from '../runtime/metrics.ts';
import { answerProblem, noSuchCall } from './problem.ts';
import type { OpenName, Serve } from './serve.ts';

/** By route pattern, so that no id becomes a label. */
export function measureAnswers({ answers }: Metrics) {
  return createMiddleware(async (c, next) => {
    const stop = answers.startTimer();
    await next();
    stop({ method: methodLabel(c.req.method), route: routePath(c), status: String(c.res.status) });
  });
}

/** Clients can send any method; unknown ones share a label. */
function methodLabel(method: string): string {
  return /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/.test(method) ? method : 'other';
}

export type MetricsRouteOptions = {
  readonly metrics: Metrics;
  readonly sql: Sql;
  /** Absent: metrics are off. */
  readonly token: string | undefined;
  readonly secondsSincePolls: () => number;
  /** Of the optional rooms. */
  readonly gauges: readonly RoomGauge[];
};

export function serveMetrics(serve: Serve<OpenName>, options: MetricsRouteOptions): void {
  const { metrics, sql, token, secondsSincePolls, gauges } = options;
  serve('GET /metrics', async (c) => {
    c.header('cache-control', 'no-store');
    if (token === undefined) {
      return answerProblem(c, noSuchCall);
    }
    if (!isToken(c.req.header('authorization') ?? '', token)) {
      c.header('www-authenticate', 'Bearer');
      return answerProblem(c, { status: 401, code: 'Unauthorized', message: 'Send the token of the metrics.' });
    }
    await Promise.all([showBacklog(metrics.backlog, sql), ...gauges.map(showRoom), showJobs(metrics.jobs, sql)]);
    metrics.pollAgeSeconds.set(secondsSincePolls());
    metrics.clockOffSeconds.set(clockOffSeconds());
    return c.body(await metrics.registry.metrics(), 200, { 'content-type': metrics.registry.contentType });
  });
}

function isToken(authorization: string, token: string): boolean {
  const given = /^Bearer +(\S.*)$/i.exec(authorization)?.[1] ?? '';
  // Hashed first: a constant-time comparison needs values of equal length.
  return timingSafeEqual(sha256(given), sha256(token));
}

function sha256(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}

async function showRoom({ clear, read }: RoomGauge): Promise<void> {
  // An old value would look current.
  clear();
  await withinMs(1000, read()).catch(() => undefined);
}

async function showJobs({ ageSeconds, limitSeconds }: JobGauges, sql: Sql): Promise<void> {
  for (const gauge of [ageSeconds, limitSeconds]) gauge.reset();
  for (const { name, ...heart } of await withinMs(1000, readHeartbeats(sql)).catch(() => [])) {
    ageSeconds.set({ name }, heart.ageSeconds);
    limitSeconds.set({ name }, heart.limitSeconds);
  }
}

/** Without the database the gauges have no value, because old ones would look current. */
async function showBacklog(gauges: BacklogGauges, sql: Sql): Promise<void> {
  const asked = performance.now();
  const backlog = await readBacklog(sql, 1000);
  const { databaseUp, databaseSeconds, hints, oldestHintSeconds } = gauges;
  const { effects, oldestEffectSeconds, mails, oldestMailSeconds } = gauges;
  databaseUp.set(backlog === undefined ? 0 : 1);
  databaseSeconds.set((performance.now() - asked) / 1000);
  if (backlog === undefined) {
    for (const gauge of [effects, oldestEffectSeconds, mails, oldestMailSeconds]) gauge.reset();
    // For gauges without labels, `reset` would set zero.
    for (const gauge of [hints, oldestHintSeconds]) gauge.remove();
    return;
  }
  const { openMails, parkedMails } = backlog;
  for (const state of ['open', 'parked'] as const) {
    effects.set({ state }, backlog[state].count);
    oldestEffectSeconds.set({ state }, backlog[state].oldestSeconds);
    const ofState = state === 'open' ? openMails : parkedMails;
    mails.set({ state }, ofState.count);
    oldestMailSeconds.set({ state }, ofState.oldestSeconds);
  }
  hints.set(backlog.hints.count);
  oldestHintSeconds.set(backlog.hints.oldestSeconds);
}
