import { parseOrderId } from '@kilim/domain/order/ids';
import { Hono } from 'hono';
import { orderNoteRequest } from '../../../contract/orders.ts';
import type { Sql } from '../../database/database.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import { deleteOrderNote, writeOrderNote } from '../../queries/order-notes.ts';
import { answerProblem, type Problem } from '../problem.ts';
import { body } from '../validate.ts';
import { type AdminGuard, type AdminVariables, checked } from './guard.ts';

export function adminOrderNotes({ sql, guard }: { readonly sql: Sql; readonly guard: AdminGuard }) {
  return new Hono<AdminVariables>()
    .post(
      '/orders/:id/notes',
      guard.may<'/orders/:id/notes'>(
        'writeNotes',
        checked(body(orderNoteRequest), async (c, session) => {
          const orderId = parseOrderId(c.req.param('id') ?? '');
          const { text } = c.req.valid('json');
          const isWritten =
            orderId !== undefined && (await writeOrderNote(sql, orderId, { text, by: session.username }));
          return isWritten ? c.body(null, 204) : answerProblem(c, notWritten);
        }),
      ),
    )
    .delete(
      '/orders/:id/notes/:note',
      guard.may<'/orders/:id/notes/:note'>('writeNotes', async (c, session) => {
        const orderId = parseOrderId(c.req.param('id'));
        const id = Number(c.req.param('note'));
        const isDeleted =
          orderId !== undefined &&
          Number.isSafeInteger(id) &&
          (await repeatWhileAway(() => deleteOrderNote(sql, orderId, { id, by: session.username })));
        return isDeleted ? c.body(null, 204) : answerProblem(c, noSuchNote);
      }),
    );
}

const notWritten: Problem = {
  status: 404,
  code: 'NotFound',
  message: 'The note could not be stored: there is no such order, or it has 200 notes already.',
};

const noSuchNote: Problem = { status: 404, code: 'NotFound', message: 'This note does not exist any more.' };
