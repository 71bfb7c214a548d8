import type { Context, Hono } from 'hono';
import { findDatabaseProblem } from '../database/cluster.ts';
import type { Sql } from '../database/database.ts';
import { askToRetry } from './problem.ts';
import type { RequestEnv } from './request-id.ts';
import type { OpenName, Serve } from './serve.ts';

/** Background work polls each second. */
const longestWithoutPollSeconds = 10;

/** Whether a load balancer asks this path for the health of the server. */
export function isProbe(path: string): boolean {
  return path === '/healthz' || path === '/readyz';
}

export type HealthOptions = {
  readonly sql: Sql;
  readonly secondsSincePolls: () => number;
  readonly schemaMisfit: () => string | undefined;
};

/** `healthz`: the process answers. `readyz`: it can serve. haproxy's `option httpchk /readyz` sends OPTIONS. */
export function serveHealth(serve: Serve<OpenName>, app: Hono<RequestEnv>, options: HealthOptions): void {
  const alive = (c: Context) => c.json({ status: 'ok' });
  const ready = async (c: Context) => {
    const problem = await problemOf(options);
    if (problem === undefined) return c.json({ status: 'ready' });
    askToRetry(c);
    return c.json({ status: problem }, 503);
  };
  serve('GET /healthz', alive);
  serve('GET /readyz', ready);
  app.options('/healthz', alive).options('/readyz', ready);
}

async function problemOf({ sql, secondsSincePolls, schemaMisfit }: HealthOptions): Promise<string | undefined> {
  // It explains everything else that fails then.
  const problem = schemaMisfit() ?? (await findDatabaseProblem(sql, 2000));
  if (problem !== undefined) return problem;
  return secondsSincePolls() > longestWithoutPollSeconds ? 'background work stalled' : undefined;
}
