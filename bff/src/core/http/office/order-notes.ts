import { parseOrderId } from '@kilim/domain/order/ids';
import type { Sql } from '../../database/database.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import { deleteOrderNote, writeOrderNote } from '../../queries/order-notes.ts';
import { answerProblem, type Problem } from '../problem.ts';
import type { Serve } from '../serve.ts';

export function serveOrderNotes(serve: Serve, sql: Sql): void {
  serve('POST /api/admin/orders/:id/notes', async (c, { by: session, params, body, answer }) => {
    const orderId = parseOrderId(params.id);
    const { text } = body;
    const isWritten = orderId !== undefined && (await writeOrderNote(sql, orderId, { text, by: session.username }));
    return isWritten ? answer(204) : answerProblem(c, notWritten);
  });
  serve('DELETE /api/admin/orders/:id/notes/:note', async (c, { by: session, params, answer }) => {
    const orderId = parseOrderId(params.id);
    const id = Number(params.note);
    const isDeleted =
      orderId !== undefined &&
      Number.isSafeInteger(id) &&
      (await repeatWhileAway(() => deleteOrderNote(sql, orderId, { id, by: session.username })));
    return isDeleted ? answer(204) : answerProblem(c, noSuchNote);
  });
}

const notWritten: Problem = {
  status: 404,
  code: 'NotFound',
  message: 'The note could not be stored: there is no such order, or it has 200 notes already.',
};

const noSuchNote: Problem = { status: 404, code: 'NotFound', message: 'This note does not exist any more.' };
