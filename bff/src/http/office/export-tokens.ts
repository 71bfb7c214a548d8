import { Hono } from 'hono';
import { z } from 'zod';
import type { Sql } from '../../database/database.ts';
import { inTime, repeatWhileAway } from '../../database/repeat-while-away.ts';
import {
  createExportToken,
  type ListedExportToken,
  listExportTokens,
  revokeExportToken,
} from '../../export/export-tokens.ts';
import { plainText } from '../list-query.ts';
import { parseBody } from '../parse-body.ts';
import { answerProblem } from '../problem.ts';
import type { ExportTokenAnswer, NewExportTokenAnswer } from './accounting-wire.ts';
import type { AdminGuard, AdminVariables } from './guard.ts';

const newToken = z.object({
  name: z
    .string('Please enter a name')
    .transform((text) => plainText(text).trim())
    .pipe(z.string().min(1, 'Please enter a name').max(100, 'At most 100 characters')),
});

/** Tokens with which scripts fetch exports: made, listed and revoked by whoever is signed in. */
export function adminExportTokens({ sql, guard }: { readonly sql: Sql; readonly guard: AdminGuard }) {
  return new Hono<AdminVariables>()
    .get(
      '/export-tokens',
      guard.signedIn(async (c) => {
        const tokens = await repeatWhileAway(() => listExportTokens(sql));
        return c.json<ExportTokenAnswer[]>(tokens.map(tokenAnswer));
      }),
    )
    .post(
      '/export-tokens',
      guard.recently(async (c, session) => {
        const body = await parseBody(c, newToken);
        if (!body.ok) return answerProblem(c, body.rejection);
        const created = await inTime(createExportToken(sql, { name: body.value.name, createdBy: session.username }));
        if (created === undefined) {
          return answerProblem(c, {
            status: 409,
            code: 'TooManyTokens',
            message: 'There are 20 tokens already. Please revoke one that is no longer used.',
          });
        }
        return c.json<NewExportTokenAnswer>(created, 201);
      }),
    )
    .delete(
      '/export-tokens/:id',
      guard.signedIn<'/export-tokens/:id'>(async (c) => {
        const id = c.req.param('id');
        const revoked = z.uuid().safeParse(id).success && (await repeatWhileAway(() => revokeExportToken(sql, id)));
        return revoked
          ? c.body(null, 204)
          : answerProblem(c, { status: 404, code: 'NotFound', message: 'There is no such token.' });
      }),
    );
}

function tokenAnswer({ createdAt, usedAt, revokedAt, ...token }: ListedExportToken): ExportTokenAnswer {
  return {
    id: token.id,
    name: token.name,
    createdBy: token.createdBy,
    createdAt: createdAt.toISOString(),
    usedAt: usedAt?.toISOString() ?? null,
    revokedAt: revokedAt?.toISOString() ?? null,
  };
}
