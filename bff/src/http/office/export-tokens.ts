import { Hono } from 'hono';
import * as z from 'zod/mini';
import { exportTokenRequest } from '../../../contract/accounting-requests.ts';
import { type ExportToken, exportTokens, newExportToken } from '../../../contract/exports.ts';
import type { Sql } from '../../database/database.ts';
import { inTime, repeatWhileAway } from '../../database/repeat-while-away.ts';
import {
  createExportToken,
  exportTokenName,
  type ListedExportToken,
  listExportTokens,
  revokeExportToken,
} from '../../export/export-tokens.ts';
import { answerProblem } from '../problem.ts';
import { body } from '../validate.ts';
import { type AdminGuard, type AdminVariables, checked } from './guard.ts';
import type { SecurityOf } from './security-of.ts';

type ExportTokensOptions = { readonly sql: Sql; readonly guard: AdminGuard; readonly securityOf: SecurityOf };

/** Administrators manage the tokens with which scripts fetch exports. */
export function adminExportTokens({ sql, guard, securityOf }: ExportTokensOptions) {
  return new Hono<AdminVariables>()
    .get(
      '/export-tokens',
      guard.may('manageTokens', async (c) => {
        const tokens = await repeatWhileAway(() => listExportTokens(sql));
        return c.json(z.encode(exportTokens, tokens.map(tokenAnswer)));
      }),
    )
    .post(
      '/export-tokens',
      guard.may(
        'createTokens',
        checked(body(exportTokenRequest), async (c, session) => {
          const { from, to, ...request } = c.req.valid('json');
          const wanted = { ...request, from, to, createdBy: session.username };
          const created = await inTime(createExportToken(sql, wanted));
          if (created === undefined) {
            return answerProblem(c, {
              status: 409,
              code: 'TooManyTokens',
              message: 'There are 20 tokens already. Please revoke one that is no longer used.',
            });
          }
          await securityOf(c).note({ kind: 'token-created', username: session.username, token: wanted.name });
          return c.json(z.encode(newExportToken, created), 201);
        }),
      ),
    )
    .delete(
      '/export-tokens/:id',
      guard.may<'/export-tokens/:id'>('manageTokens', async (c, { username }) => {
        const id = c.req.param('id');
        const revoked = z.uuid().safeParse(id).success && (await repeatWhileAway(() => revokeExportToken(sql, id)));
        if (!revoked) return answerProblem(c, { status: 404, code: 'NotFound', message: 'There is no such token.' });
        const token = await repeatWhileAway(() => exportTokenName(sql, id));
        await securityOf(c).note({ kind: 'token-revoked', username, token });
        return c.body(null, 204);
      }),
    );
}

function tokenAnswer({ createdAt, usedAt, revokedAt, expiresAt, formats, ...token }: ListedExportToken): ExportToken {
  return {
    ...token,
    formats: [...formats],
    createdAt: createdAt.toISOString(),
    usedAt: usedAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
    expiresAt: expiresAt.toISOString(),
  };
}
