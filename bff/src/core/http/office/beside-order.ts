import { parseOrderId } from '@kilim/domain/order/ids';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import type { HandleWorld } from '../../ledger/handle.ts';
import { deleteOrderNote, writeOrderNote } from '../../queries/order-notes.ts';
import { eraseContact } from '../../use-case/erase-contact.ts';
import { answerProblem, type Problem } from '../problem.ts';
import type { SecurityOf } from '../proven.ts';
import type { Serve } from '../serve.ts';
import { orderNotFound } from './orders.ts';

/** What stands beside the ledger: the notes and the contact of an order. */
export function serveBesideOrder(serve: Serve, world: HandleWorld, securityOf: SecurityOf): void {
  const { sql } = world;
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
  // An erasure cannot be undone, so it asks for a recent password.
  serve('POST /api/admin/orders/:id/erase-contact', async (c, { by: session, params, answer }) => {
    const orderId = parseOrderId(params.id);
    const erased =
      orderId && (await eraseContact(world, { orderId, erasedBy: session.username, requestId: c.get('requestId') }));
    if (orderId !== undefined && erased !== undefined) {
      await securityOf(c).note({ kind: 'contact-erased', username: session.username, order: orderId });
    }
    return erased === undefined ? answerProblem(c, orderNotFound) : answer(200, erased);
  });
}

const notWritten: Problem = {
  status: 404,
  code: 'NotFound',
  message: 'The note could not be stored: there is no such order, or it has 200 notes already.',
};

const noSuchNote: Problem = { status: 404, code: 'NotFound', message: 'This note does not exist any more.' };
