import type { Sql } from '../../core/database/database.ts';
import { repeatWhileAway } from '../../core/database/repeat-while-away.ts';
import { describePages } from '../../core/http/describe-pages.ts';
import type { Serve } from '../../core/http/serve.ts';
import { listSecurityLog } from '../queries/list-security-log.ts';

export function serveSecurityLog(serve: Serve, sql: Sql): void {
  serve('GET /api/admin/security-log', async (c, { query, answer }) => {
    const { page, pageSize, kind, person: username } = query;
    const listed = await repeatWhileAway(() => listSecurityLog(sql, { page, pageSize, kind, username }));
    describePages(c, listed, { page, pageSize });
    return answer(
      200,
      listed.rows.map((entry) => ({ ...entry, at: entry.at.toISOString() })),
    );
  });
}
