import { parseOrderId } from '@kilim/domain/order/ids';
import { type ErasureWorld, eraseContact } from '../../use-case/erase-contact.ts';
import { answerProblem } from '../problem.ts';
import type { SecurityOf } from '../proven.ts';
import type { Serve } from '../serve.ts';
import { orderNotFound } from './orders.ts';

/** An erasure cannot be undone, so it asks for a recent password. */
export function serveErasure(serve: Serve, world: ErasureWorld, securityOf: SecurityOf): void {
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
