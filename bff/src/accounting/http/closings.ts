import type { ReopenPeriodRejection } from '@kilim/domain/accounting/books';
import { repeatWhileAway } from '../../core/database/repeat-while-away.ts';
import { answerProblem, type Problem } from '../../core/http/problem.ts';
import type { Serve } from '../../core/http/serve.ts';
import { readBooks } from '../../core/ledger/read.ts';
import { certificateFileName } from '../queries/certificate-text.ts';
import { readCertificate, wasReopened } from '../queries/read-certificate.ts';
import { type ChecklistWorld, readChecklist } from '../queries/read-checklist.ts';
import type { BooksWorld } from '../use-case/close-period.ts';
import { reopenPeriod } from '../use-case/reopen-period.ts';
import { answerBooks } from './books.ts';

export type ClosingsWorld = BooksWorld & Pick<ChecklistWorld, 'witnesses'>;

export function serveClosings(serve: Serve, world: ClosingsWorld): void {
  const { sql } = world;
  serve('GET /api/admin/books/checklist', async (_, { query, answer }) => {
    const { through } = query;
    const checks = await repeatWhileAway(async () => readChecklist(world, await readBooks(sql), through));
    return answer(200, { through, checks: [...checks] });
  });
  serve('GET /api/admin/books/closings/:version/certificate', async (c, { params, answer }) => {
    const version = params.version;
    const closing = /^[1-9]\d{0,8}$/.test(version) ? Number(version) : 0;
    const found = await repeatWhileAway(() => readCertificate(sql, closing));
    if (found === undefined) {
      const reopened = await repeatWhileAway(() => wasReopened(sql, closing));
      return answerProblem(c, noCertificate(reopened));
    }
    c.header('content-disposition', `attachment; filename="${certificateFileName(found)}"`);
    return answer(200, found);
  });
  serve('POST /api/admin/books/reopen', async (c, { by: { username: by }, body }) => {
    const asked = { ...body, by, requestId: c.get('requestId') };
    const reopened = await repeatWhileAway(() => reopenPeriod(world, asked));
    return reopened.ok ? answerBooks(c, world) : answerProblem(c, notLatest(reopened.rejection));
  });
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
