import { Hono } from 'hono';
import { isReachable, type Sql } from '../database.ts';

/** `healthz`: the process answers. `readyz`: it can serve, because the database answers too. */
export function health(sql: Sql) {
  return new Hono()
    .get('/healthz', (c) => c.json({ status: 'ok' }))
    .get('/readyz', async (c) =>
      (await isReachable(sql, 2000)) ? c.json({ status: 'ready' }) : c.json({ status: 'database unreachable' }, 503),
    );
}
