import type { UndoRejection } from '@kilim/domain/accounting/resolutions';
import type { Result } from '@kilim/domain/result';
import type { Context } from 'hono';
import { repeatWhileAway } from '../../core/database/repeat-while-away.ts';
import { answerProblem, type Problem } from '../../core/http/problem.ts';
import type { ProvenSession } from '../../core/http/proven.ts';
import type { RequestEnv } from '../../core/http/request-id.ts';
import type { Serve } from '../../core/http/serve.ts';
import type { World } from '../../core/use-case/world.ts';
import { findOpenDifference } from '../queries/open-differences.ts';
import { askForComparison } from '../queries/read-books.ts';
import {
  type BookOrphanRejection,
  bookOrphan,
  explainDifference,
  type RefundOrphanRejection,
  refundOrphan,
  undoResolution,
  type WriteItemOffRejection,
  writeItemOff,
} from '../use-case/resolve-difference.ts';

export function serveDifferences(serve: Serve, world: World): void {
  serve('POST /api/admin/books/differences/explain', async (c, { by: session, body, answer }) => {
    const { reason, ...asked } = body;
    const difference = await repeatWhileAway(() => findOpenDifference(world.sql, asked));
    if (difference === undefined) return answerProblem(c, noSuchDifference);
    await explainDifference(world, difference, { reason, ...resolvedBy(c, session) });
    return answer(204);
  });
  serve('POST /api/admin/books/differences/assign', async (c, { by: session, body }) => {
    const { squareId, ...booking } = body;
    return answerBooking(c, world, await bookOrphan(world, squareId, { ...booking, ...resolvedBy(c, session) }));
  });
  serve('POST /api/admin/books/differences/write-off', async (c, { by: session, body }) => {
    const { squareId, reason } = body;
    return answerBooking(c, world, await bookOrphan(world, squareId, { reason, ...resolvedBy(c, session) }));
  });
  serve('POST /api/admin/books/clearing/write-off', async (c, { by: session, body }) => {
    const { squareId, reason } = body;
    return answerBooking(c, world, await writeItemOff(world, squareId, { reason, ...resolvedBy(c, session) }));
  });
  serve('POST /api/admin/books/resolutions/:version/undo', async (c, { by: session, params, answer }) => {
    const undone = await undoResolution(world, Number(params.version), resolvedBy(c, session));
    if (!undone.ok) return answerProblem(c, told(undoProblems, undone.rejection));
    await repeatWhileAway(() => askForComparison(world.sql));
    return answer(204);
  });
  serve('POST /api/admin/books/differences/refund', async (c, { by: session, body, answer }) => {
    const { reason, squareId } = body;
    const refunded = await refundOrphan(world, squareId, { reason, ...resolvedBy(c, session) });
    // The next comparison removes the payment from the list.
    await repeatWhileAway(() => askForComparison(world.sql));
    if (refunded.ok) return answer(200, { status: refunded.value });
    return answerProblem(c, told(orphanProblems, refunded.rejection));
  });
}

function resolvedBy(c: Context<RequestEnv>, { username: by }: ProvenSession) {
  return { by, requestId: c.get('requestId') };
}

async function answerBooking(
  c: Context,
  world: World,
  booked: Result<undefined, BookOrphanRejection | WriteItemOffRejection>,
): Promise<Response> {
  if (!booked.ok) return answerProblem(c, told(bookingProblems, booked.rejection));
  await repeatWhileAway(() => askForComparison(world.sql));
  return c.body(null, 204);
}

const noSuchDifference: Problem = {
  status: 404,
  code: 'NoSuchDifference',
  message: 'This difference is no longer on the list. Please load the page again.',
};

type Told = Omit<Problem, 'code'> & Partial<Problem>;

/** The code is that of the rejection, unless the problem has its own. */
function told<Code extends string>(problems: Readonly<Record<Code, Told>>, { code }: { readonly code: Code }): Problem {
  return { code, ...problems[code] };
}

const orphanProblems: Readonly<Record<RefundOrphanRejection['code'], Told>> = {
  NoSuchOrphan: noSuchDifference,
  RefusedBySquare: {
    status: 409,
    message: 'Square did not make this refund. Please refund the payment in the dashboard of Square.',
  },
  UnprovenOrphan: {
    status: 409,
    message:
      'None of our servers recorded this payment as one without an order, so nothing was sent to Square. Please look it up in the dashboard of Square, and refund it there.',
  },
};

const bookingProblems: Readonly<Record<(BookOrphanRejection | WriteItemOffRejection)['code'], Told>> = {
  NoSuchOrphan: noSuchDifference,
  NoSuchItem: noSuchDifference,
  NoSuchOrder: { status: 404, message: 'There is no such order.' },
  RefundUnderWay: {
    status: 409,
    message: 'A refund of this payment is under way at Square. Compare again when it has ended.',
  },
  SquareDidNotAnswer: {
    status: 503,
    message: 'Square did not answer, so a refund may be under way. Nothing was booked; please try again.',
  },
};

const undoProblems: Readonly<Record<UndoRejection['code'], Told>> = {
  NoSuchResolution: { status: 404, message: 'There is no such resolution. Please load the page again.' },
  RefundRequested: { status: 409, message: 'Square was asked for this refund, and that cannot be undone.' },
  BookedSince: { status: 409, message: 'This payment was booked again since. Undo the newer booking first.' },
};
