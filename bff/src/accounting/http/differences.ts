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
    if (!undone.ok) return answerProblem(c, undoProblems[undone.rejection.code]);
    await repeatWhileAway(() => askForComparison(world.sql));
    return answer(204);
  });
  serve('POST /api/admin/books/differences/refund', async (c, { by: session, body, answer }) => {
    const { reason, squareId } = body;
    const refunded = await refundOrphan(world, squareId, { reason, ...resolvedBy(c, session) });
    // The next comparison removes the payment from the list.
    await repeatWhileAway(() => askForComparison(world.sql));
    if (refunded.ok) return answer(200, { status: refunded.value });
    return answerProblem(c, orphanProblems[refunded.rejection.code]);
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
  if (!booked.ok) return answerProblem(c, bookingProblems[booked.rejection.code]);
  await repeatWhileAway(() => askForComparison(world.sql));
  return c.body(null, 204);
}

const noSuchDifference: Problem = {
  status: 404,
  code: 'NoSuchDifference',
  message: 'This difference is no longer on the list. Please load the page again.',
};

const orphanProblems = {
  NoSuchOrphan: noSuchDifference,
  RefusedBySquare: {
    status: 409,
    code: 'RefusedBySquare',
    message: 'Square did not make this refund. Please refund the payment in the dashboard of Square.',
  },
  UnprovenOrphan: {
    status: 409,
    code: 'UnprovenOrphan',
    message:
      'None of our servers recorded this payment as one without an order, so nothing was sent to Square. Please look it up in the dashboard of Square, and refund it there.',
  },
} as const satisfies Record<RefundOrphanRejection['code'], Problem>;

const bookingProblems = {
  NoSuchOrphan: noSuchDifference,
  NoSuchItem: noSuchDifference,
  NoSuchOrder: {
    status: 404,
    code: 'NoSuchOrder',
    message: 'There is no such order.',
  },
  RefundUnderWay: {
    status: 409,
    code: 'RefundUnderWay',
    message: 'A refund of this payment is under way at Square. Compare again when it has ended.',
  },
  SquareDidNotAnswer: {
    status: 503,
    code: 'SquareDidNotAnswer',
    message: 'Square did not answer, so a refund may be under way. Nothing was booked; please try again.',
  },
} as const satisfies Record<(BookOrphanRejection | WriteItemOffRejection)['code'], Problem>;

const undoProblems = {
  NoSuchResolution: {
    status: 404,
    code: 'NoSuchResolution',
    message: 'There is no such resolution. Please load the page again.',
  },
  RefundRequested: {
    status: 409,
    code: 'RefundRequested',
    message: 'Square was asked for this refund, and that cannot be undone.',
  },
  BookedSince: {
    status: 409,
    code: 'BookedSince',
    message: 'This payment was booked again since. Undo the newer booking first.',
  },
} as const satisfies Record<UndoRejection['code'], Problem>;
