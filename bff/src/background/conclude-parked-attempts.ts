import { parseOrderId, parsePaymentId } from '@kilim/domain/order/ids';
import type { Sql } from '../database/database.ts';
import type { World } from '../server/world.ts';
import { concludeAttempt } from '../use-case/conclude-attempt.ts';
import { type Finding, inFlight } from '../use-case/finding.ts';

/** Parked attempts are rare. The next reconciliation looks at the rest. */
const mostAtOnce = 100;

/**
 * Ends the attempts whose effect is parked, once Square says how they ended. No worker takes a
 * parked effect, so the order would stay in processing.
 */
export async function concludeParkedAttempts(world: World): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const { orderId, paymentId } of await readParked(world.sql)) {
    const driven = await concludeAttempt(world, { orderId, paymentId, actor: 'reconciliation', requestId: undefined });
    if (driven === undefined) continue;
    findings.push(driven.status === 'settled' ? { kind: 'recorded', types: [] } : inFlight);
  }
  return findings;
}

async function readParked(sql: Sql) {
  const rows = await sql<{ order_id: string; payment_id: string }[]>`
    select order_id, payment_id from ledger.effect
    where state = 'parked' and kind = 'charge' order by opened_at limit ${mostAtOnce}`;
  return rows.flatMap((row) => {
    const [orderId, paymentId] = [parseOrderId(row.order_id), parsePaymentId(row.payment_id)];
    return orderId === undefined || paymentId === undefined ? [] : [{ orderId, paymentId }];
  });
}
