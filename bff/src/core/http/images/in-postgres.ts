import type { Sql } from '../../database/database.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import { closedPolicy } from '../response-headers.ts';
import type { OpenName, Serve } from '../serve.ts';
import type { ImageHost } from './image-host.ts';

/** Needs no account, and the database backup includes the images. */
export function imagesInPostgres(sql: Sql): ImageHost {
  return {
    keep: async ({ hash, bytes }) => {
      await repeatWhileAway(
        () => sql`
          insert into image.kept (hash, bytes) values (${Buffer.from(hash, 'hex')}, ${Buffer.from(bytes)})
          on conflict (hash) do nothing`,
      );
      return `/images/${hash}.webp`;
    },
  };
}

/** Names are hashes, so browsers may cache the images for ever. */
export function serveImages(serve: Serve<OpenName>, sql: Sql): void {
  serve('GET /images/:name', async (c, { params }) => {
    const [, hash] = /^([0-9a-f]{64})\.webp$/.exec(params.name) ?? [];
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

export async function findImage(sql: Sql, hash: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const [image] = await sql<{ bytes: Uint8Array }[]>`
    select bytes from image.kept where hash = ${Buffer.from(hash, 'hex')}`;
  return image === undefined ? undefined : new Uint8Array(image.bytes);
}
