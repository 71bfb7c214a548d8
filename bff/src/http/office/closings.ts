import type { ReopenPeriodRejection } from '@kilim/domain/accounting/books';
import { Hono } from 'hono';
import * as z from 'zod/mini';
import { reopeningRequest } from '../../../contract/accounting-requests.ts';
import { certificate, checklist } from '../../../contract/certificate.ts';
import { checklistQuery } from '../../../contract/queries.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import { readBooks } from '../../ledger/read.ts';
import { certificateFileName } from '../../queries/certificate-text.ts';
import { readCertificate, wasReopened } from '../../queries/read-certificate.ts';
import { type ChecklistWorld, readChecklist } from '../../queries/read-checklist.ts';
import type { BooksWorld } from '../../use-case/close-period.ts';
import { reopenPeriod } from '../../use-case/reopen-period.ts';
import { answerProblem, type Problem } from '../problem.ts';
import { body, query } from '../validate.ts';
import { answerBooks } from './books.ts';
import { type AdminGuard, type AdminVariables, checked } from './guard.ts';

export type AdminClosingsOptions = {
  readonly world: BooksWorld & Pick<ChecklistWorld, 'witnesses'>;
  readonly guard: AdminGuard;
};

export function adminClosings({ world, guard }: AdminClosingsOptions) {
  const { sql } = world;
  return new Hono<AdminVariables>()
    .get(
      '/books/checklist',
      guard.may(
        'readBooks',
        checked(query(checklistQuery), async (c) => {
          const { through } = c.req.valid('query');
          const checks = await repeatWhileAway(async () => readChecklist(world, await readBooks(sql), through));
          return c.json(z.encode(checklist, { through, checks: [...checks] }));
        }),
      ),
    )
    .get(
      '/books/closings/:version/certificate',
      guard.may('readBooks', async (c) => {
        const version = c.req.param('version') ?? '';
        const closing = /^[1-9]\d{0,8}$/.test(version) ? Number(version) : 0;
        const found = await repeatWhileAway(() => readCertificate(sql, closing));
        if (found === undefined) {
          const reopened = await repeatWhileAway(() => wasReopened(sql, closing));
          return answerProblem(c, noCertificate(reopened));
        }
        c.header('content-disposition', `attachment; filename="${certificateFileName(found)}"`);
        return c.json(z.encode(certificate, found));
      }),
    )
    .post(
      '/books/reopen',
      guard.may(
        'reopenPeriods',
        checked(body(reopeningRequest), async (c, { username: by }) => {
          const asked = { ...c.req.valid('json'), by, requestId: c.get('requestId') };
          const reopened = await repeatWhileAway(() => reopenPeriod(world, asked));
          return reopened.ok ? answerBooks(c, world) : answerProblem(c, notLatest(reopened.rejection));
        }),
      ),
    );
}

function noCertificate(reopened: boolean): Problem {
  const message = reopened
    ? 'This closing was reopened before its certificate was made, so it has none.'
    : 'There is no certificate of this closing. A new closing gets its certificate within seconds.';
  return { status: 404, code: 'NoCertificate', message };
}

function notLatest({ code, through }: ReopenPeriodRejection): Problem {
  const message =
    through === undefined
      ? 'No period is closed.'
      : `Only the latest closing can be reopened: the one through ${through}.`;
  return { status: 409, code, message };
}
