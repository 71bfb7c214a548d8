import { parseOrderId } from '@kilim/domain/order/ids';
import { Hono } from 'hono';
import { type ErasureWorld, eraseContact } from '../../use-case/erase-contact.ts';
import { answerProblem } from '../problem.ts';
import type { AdminGuard, AdminVariables } from './guard.ts';
import { orderNotFound } from './orders.ts';
import type { ContactErasureAnswer } from './wire.ts';

/** Forgetting a customer. It cannot be undone, so the password has to have been given lately. */
export function adminErasure(world: ErasureWorld, guard: AdminGuard) {
  return new Hono<AdminVariables>().post(
    '/orders/:id/erase-contact',
    guard.recently<'/orders/:id/erase-contact'>(async (c, session) => {
      const orderId = parseOrderId(c.req.param('id'));
      const erased =
        orderId && (await eraseContact(world, { orderId, erasedBy: session.username, requestId: c.get('requestId') }));
      return erased === undefined ? answerProblem(c, orderNotFound) : c.json<ContactErasureAnswer>(erased);
    }),
  );
}
