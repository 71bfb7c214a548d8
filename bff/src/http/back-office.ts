import { Hono } from 'hono';
import type { AdminGuard, AdminVariables } from '../admin/guard.ts';
import type { PaymentWorld } from '../use-case/record-payment.ts';
import { adminOrders } from './admin-orders.ts';
import { adminRefunds } from './admin-refunds.ts';
import { adminStatistics } from './admin-statistics.ts';

/** The calls of the back office about orders and their money, each under the guard. */
export function backOffice(world: PaymentWorld, timeZone: string) {
  const { sql, now } = world;
  return (guard: AdminGuard) =>
    new Hono<AdminVariables>()
      .route('/', adminOrders({ sql, now, guard, timeZone }))
      .route('/', adminRefunds({ world, guard, timeZone }))
      .route('/', adminStatistics({ sql, now, guard, timeZone }));
}
