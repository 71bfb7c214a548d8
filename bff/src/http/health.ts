import { type Context, Hono } from 'hono';
import { findDatabaseProblem } from '../database/cluster.ts';
import type { Sql } from '../database/database.ts';
import { askToRetry } from './problem.ts';

/** Background work polls each second. Without success for this long it is stuck. */
const longestWithoutPollSeconds = 10;

/**
 * `healthz`: the process answers. `readyz`: the database answers too, is the one that the ledger
 * recorded, and background work runs. Both answer GET, HEAD and OPTIONS: haproxy's `option httpchk
 * /readyz` sends OPTIONS.
 *
 * @param secondsSincePolls seconds since background work last polled with success.
 */
export function health(sql: Sql, secondsSincePolls: () => number) {
  const alive = (c: Context) => c.json({ status: 'ok' });
  const ready = async (c: Context) => {
    const problem = await problemOf(sql, secondsSincePolls());
    if (problem === undefined) return c.json({ status: 'ready' });
    askToRetry(c);
    return c.json({ status: problem }, 503);
  };
  return new Hono()
    .get('/healthz', alive)
    .options('/healthz', alive)
    .get('/readyz', ready)
    .options('/readyz', ready);
}

async function problemOf(sql: Sql, secondsSincePolls: number): Promise<string | undefined> {
  const problem = await findDatabaseProblem(sql, 2000);
  if (problem !== undefined) return problem;
  return secondsSincePolls > longestWithoutPollSeconds ? 'background work stalled' : undefined;
}
