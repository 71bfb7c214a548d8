import { Hono } from 'hono';
import { isReachable, type Sql } from '../database.ts';

/** A process that polls each second and has not succeeded for this long is stuck. */
const longestWithoutPollSeconds = 10;

/**
 * `healthz`: the process answers. `readyz`: it can serve, because the database answers and background work goes on.
 *
 * @param secondsSincePolls how long ago background work last looked for something to do, with success.
 */
export function health(sql: Sql, secondsSincePolls: () => number) {
  return new Hono()
    .get('/healthz', (c) => c.json({ status: 'ok' }))
    .get('/readyz', async (c) => {
      if (!(await isReachable(sql, 2000))) return c.json({ status: 'database unreachable' }, 503);
      if (secondsSincePolls() > longestWithoutPollSeconds) return c.json({ status: 'background work stalled' }, 503);
      return c.json({ status: 'ready' });
    });
}
