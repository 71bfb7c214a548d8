import { Hono } from 'hono';
import type { Sql } from '../database/database.ts';
import { isReachable } from '../database/repeat-while-away.ts';
import { askToRetry } from './problem.ts';

/** Background work polls each second. Without success for this long it is stuck. */
const longestWithoutPollSeconds = 10;

/**
 * `healthz`: the process answers. `readyz`: the database answers too, and background work runs.
 *
 * @param secondsSincePolls seconds since background work last polled with success.
 */
export function health(sql: Sql, secondsSincePolls: () => number) {
  return new Hono()
    .get('/healthz', (c) => c.json({ status: 'ok' }))
    .get('/readyz', async (c) => {
      const problem = await problemOf(sql, secondsSincePolls());
      if (problem === undefined) return c.json({ status: 'ready' });
      askToRetry(c);
      return c.json({ status: problem }, 503);
    });
}

async function problemOf(sql: Sql, secondsSincePolls: number): Promise<string | undefined> {
  if (!(await isReachable(sql, 2000))) return 'database unreachable';
  return secondsSincePolls > longestWithoutPollSeconds ? 'background work stalled' : undefined;
}
