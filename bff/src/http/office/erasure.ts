import { parseOrderId } from '@kilim/domain/order/ids';
import { Hono } from 'hono';
import * as z from 'zod/mini';
import { contactErasure } from '../../../contract/orders.ts';
import { type ErasureWorld, eraseContact } from '../../use-case/erase-contact.ts';
import { answerProblem } from '../problem.ts';
import type { AdminGuard, AdminVariables } from './guard.ts';
import { orderNotFound } from './orders.ts';
import type { SecurityOf } from './security-of.ts';

/** Erases a customer's contact. This cannot be undone, so it asks for a recent password. */
export function adminErasure(world: ErasureWorld, guard: AdminGuard, securityOf: SecurityOf) {
  return new Hono<AdminVariables>().post(
    '/orders/:id/erase-contact',
    guard.may<'/orders/:id/erase-contact'>('eraseContact', async (c, session) => {
      const orderId = parseOrderId(c.req.param('id'));
      const erased =
        orderId && (await eraseContact(world, { orderId, erasedBy: session.username, requestId: c.get('requestId') }));
      if (orderId !== undefined && erased !== undefined) {
        await securityOf(c).note({ kind: 'contact-erased', username: session.username, order: orderId });
      }
      return erased === undefined ? answerProblem(c, orderNotFound) : c.json(z.encode(contactErasure, erased));
    }),
  );
}
