import { Hono } from 'hono';
import * as z from 'zod/mini';
import { securityLogQuery } from '../../../contract/queries.ts';
import { securityLog } from '../../../contract/security-log.ts';
import type { Sql } from '../../database/database.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import { listSecurityLog } from '../../queries/list-security-log.ts';
import { describePages } from '../describe-pages.ts';
import { query } from '../validate.ts';
import { type AdminGuard, type AdminVariables, checked } from './guard.ts';

export function adminSecurityLog({ sql, guard }: { readonly sql: Sql; readonly guard: AdminGuard }) {
  return new Hono<AdminVariables>().get(
    '/security-log',
    guard.may(
      'readSecurityLog',
      checked(query(securityLogQuery), async (c) => {
        const { page, pageSize, kind, person: username } = c.req.valid('query');
        const listed = await repeatWhileAway(() => listSecurityLog(sql, { page, pageSize, kind, username }));
        describePages(c, listed, { page, pageSize });
        return c.json(
          z.encode(
            securityLog,
            listed.rows.map((entry) => ({ ...entry, at: entry.at.toISOString() })),
          ),
        );
      }),
    ),
  );
}
