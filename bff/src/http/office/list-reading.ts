import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { createMiddleware } from 'hono/factory';
import type { Sql } from '../../database/database.ts';
import type { Reader } from '../../database/replica/reader.ts';
import { oldestDataSeconds } from '../../database/replica/watch-replica.ts';
import type { AdminVariables } from './guard.ts';

/** Reads for lists, statistics and exports, which a replica may answer. */
export type ListReading = {
  readonly primary: Sql;
  /**
   * After each change a browser gets a cookie that lives as long as a replica's data may be old. While it lives, the
   * primary answers this browser, so administrators always see their own changes, on every server.
   */
  readonly markChanges: ReturnType<typeof createMiddleware<AdminVariables>>;
  /** A short reading. `X-Data-Age` tells how old the answer may be, in seconds. */
  readonly read: <Answer>(c: Context, work: (sql: Sql) => Promise<Answer>) => Promise<Answer>;
};

/** How old the data of an answer may be, in seconds. */
export const ageHeader = 'x-data-age';

const plainCookie = 'kilim_changed';

export function createListReading(reader: Reader, { secure }: { readonly secure: boolean }): ListReading {
  const cookie = secure ? `__Host-${plainCookie}` : plainCookie;
  const attributes = { httpOnly: true, sameSite: 'Strict' as const, path: '/', secure };
  return {
    primary: reader.primary,
    markChanges: createMiddleware<AdminVariables>(async (c, next) => {
      await next();
      // Also after an error: the change may have been made all the same.
      if (!isReading(c)) setCookie(c, cookie, '1', { ...attributes, maxAge: oldestDataSeconds });
    }),
    read: async (c, work) => {
      const { answer, ageSeconds } = await reader.read(work, getCookie(c, cookie) !== undefined);
      c.header(ageHeader, String(Math.ceil(ageSeconds)));
      return answer;
    },
  };
}

function isReading(c: Context): boolean {
  return c.req.method === 'GET' || c.req.method === 'HEAD' || c.req.method === 'OPTIONS';
}
