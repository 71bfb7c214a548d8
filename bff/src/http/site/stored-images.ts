import { Hono } from 'hono';
import type { Sql } from '../../database/database.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import { findImage } from '../images/in-postgres.ts';
import { closedPolicy } from '../response-headers.ts';

/** Serves images from PostgreSQL. Their names are hashes, so browsers may cache them for ever. */
export function images(sql: Sql) {
  return new Hono().get('/images/:name', async (c) => {
    const [, hash] = /^([0-9a-f]{64})\.webp$/.exec(c.req.param('name')) ?? [];
    const bytes = hash === undefined ? undefined : await repeatWhileAway(() => findImage(sql, hash));
    if (bytes === undefined) return c.text('Not found', 404);
    c.header('content-type', 'image/webp');
    c.header('cache-control', 'public, max-age=31536000, immutable');
    // Opened directly, the file can only be displayed as a picture.
    c.header('content-security-policy', `${closedPolicy}; sandbox`);
    c.header('cross-origin-resource-policy', 'same-site');
    return c.body(bytes);
  });
}
