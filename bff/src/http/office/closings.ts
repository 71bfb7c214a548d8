import type { ReopenPeriodRejection } from '@kilim/domain/accounting/books';
import { Hono } from 'hono';
import * as z from 'zod/mini';
import { reopeningRequest } from '../../../contract/accounting-requests.ts';
import { certificate, checklist } from '../../../contract/certificate.ts';
import { checklistQuery } from '../../../contract/queries.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import { readBooks } from '../../ledger/read.ts';
import { certificateFileName } from '../../queries/certificate-text.ts';
import { readCertificate } from '../../queries/read-certificate.ts';
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

/** The checklist before a closing, the certificate after it, and the end of a closing. */
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
        const found = /^[1-9]\d{0,8}$/.test(version)
          ? await repeatWhileAway(() => readCertificate(sql, Number(version)))
          : undefined;
        if (found === undefined) return answerProblem(c, noCertificate);
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

const noCertificate: Problem = {
  status: 404,
  code: 'NoCertificate',
  message: 'There is no certificate of this closing. A new closing gets its certificate within seconds.',
};

function notLatest({ code, through }: ReopenPeriodRejection): Problem {
  const message =
    through === undefined
      ? 'No period is closed.'
      : `Only the latest closing can be reopened: the one through ${through}.`;
  return { status: 409, code, message };
}
