import type { Sql } from '../../database/database.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import type { ImageHost } from './image-host.ts';

/** The default host: needs no account, and the database backup includes the images. */
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

export async function findImage(sql: Sql, hash: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const [image] = await sql<{ bytes: Uint8Array }[]>`
    select bytes from image.kept where hash = ${Buffer.from(hash, 'hex')}`;
  return image === undefined ? undefined : new Uint8Array(image.bytes);
}
