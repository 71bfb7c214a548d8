import { Hono } from 'hono';
import * as z from 'zod/mini';
import { explanationRequest, orphanRefund, orphanRefundRequest } from '../../../contract/resolutions.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import { findOpenDifference } from '../../queries/open-differences.ts';
import { askForComparison } from '../../queries/read-books.ts';
import type { World } from '../../server/world.ts';
import { explainDifference, refundOrphan } from '../../use-case/resolve-difference.ts';
import { answerProblem, type Problem } from '../problem.ts';
import { body } from '../validate.ts';
import { type AdminGuard, type AdminVariables, checked } from './guard.ts';

/** How people resolve differences. Each resolution is an event with a reason. */
export function adminDifferences({ world, guard }: { readonly world: World; readonly guard: AdminGuard }) {
  return new Hono<AdminVariables>()
    .post(
      '/books/differences/explain',
      guard.may(
        'explainDifferences',
        checked(body(explanationRequest), async (c, session) => {
          const { reason, ...asked } = c.req.valid('json');
          const difference = await repeatWhileAway(() => findOpenDifference(world.sql, asked));
          if (difference === undefined) return answerProblem(c, noSuchDifference);
          await explainDifference(world, difference, { reason, by: session.username, requestId: c.get('requestId') });
          return c.body(null, 204);
        }),
      ),
    )
    .post(
      '/books/differences/refund',
      guard.may(
        'refundOrphans',
        checked(body(orphanRefundRequest), async (c, session) => {
          const { reason, squareId } = c.req.valid('json');
          const resolving = { reason, by: session.username, requestId: c.get('requestId') };
          const refunded = await refundOrphan(world, squareId, resolving);
          // The payment leaves the list with the next comparison.
          await repeatWhileAway(() => askForComparison(world.sql));
          if (refunded.ok) return c.json(z.encode(orphanRefund, { status: refunded.value }));
          return answerProblem(c, refunded.rejection.code === 'NoSuchOrphan' ? noSuchDifference : refusedBySquare);
        }),
      ),
    );
}

const noSuchDifference: Problem = {
  status: 404,
  code: 'NoSuchDifference',
  message: 'This difference is no longer on the list. Please load the page again.',
};

const refusedBySquare: Problem = {
  status: 409,
  code: 'RefusedBySquare',
  message: 'Square did not make this refund. Please refund the payment in the dashboard of Square.',
};
