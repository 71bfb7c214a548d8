import * as z from 'zod/mini';
import type { ExportToken } from '../../../contract/exports.ts';
import type { Sql } from '../../core/database/database.ts';
import { inTime, repeatWhileAway } from '../../core/database/repeat-while-away.ts';
import { answerProblem } from '../../core/http/problem.ts';
import type { SecurityOf } from '../../core/http/proven.ts';
import type { Serve } from '../../core/http/serve.ts';
import {
  createExportToken,
  exportTokenName,
  type ListedExportToken,
  listExportTokens,
  revokeExportToken,
} from '../export/export-tokens.ts';

export function serveExportTokens(serve: Serve, sql: Sql, securityOf: SecurityOf): void {
  serve('GET /api/admin/export-tokens', async (_, { answer }) => {
    const tokens = await repeatWhileAway(() => listExportTokens(sql));
    return answer(200, tokens.map(tokenAnswer));
  });
  serve('POST /api/admin/export-tokens', async (c, { by: session, body, answer }) => {
    const created = await inTime(createExportToken(sql, { ...body, createdBy: session.username }));
    if (created === undefined) {
      return answerProblem(c, {
        status: 409,
        code: 'TooManyTokens',
        message: 'There are 20 tokens already. Please revoke one that is no longer used.',
      });
    }
    await securityOf(c).note({ kind: 'token-created', username: session.username, token: body.name });
    return answer(201, created);
  });
  serve('DELETE /api/admin/export-tokens/:id', async (c, { by: { username }, params: { id }, answer }) => {
    const revoked = z.uuid().safeParse(id).success && (await repeatWhileAway(() => revokeExportToken(sql, id)));
    if (!revoked) return answerProblem(c, { status: 404, code: 'NotFound', message: 'There is no such token.' });
    const token = await repeatWhileAway(() => exportTokenName(sql, id));
    await securityOf(c).note({ kind: 'token-revoked', username, token });
    return answer(204);
  });
}

function tokenAnswer({ createdAt, usedAt, revokedAt, expiresAt, ...token }: ListedExportToken): ExportToken {
  return {
    ...token,
    createdAt: createdAt.toISOString(),
    usedAt: usedAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
    expiresAt: expiresAt.toISOString(),
  };
}
