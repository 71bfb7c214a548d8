import { parseOrderId, parsePaymentId } from '@kilim/domain/order/ids';
import type { Sql } from '../database/database.ts';
import { type OrderStream, readOrder } from '../ledger/read.ts';
import type { World } from '../server/world.ts';
import type { CardPayment } from '../square/card-processor.ts';
import { type Drive, type Driven, lookAtHold, voidAttempt } from '../use-case/drive-attempt.ts';
import { type Finding, inFlight } from '../use-case/finding.ts';
import { attemptOf, paymentStateOf, recordAuthorization } from '../use-case/record-payment.ts';

/** Parked attempts are rare. The next reconciliation looks at the rest. */
const mostAtOnce = 100;

/**
 * Ends the attempts whose effect is parked, once Square says how they ended. No worker takes a
 * parked effect, so the order would stay in processing. Nothing here moves money at Square: a hold
 * is left to expire, which takes an hour.
 */
export async function concludeParkedAttempts(world: World): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const { orderId, paymentId } of await readParked(world.sql)) {
    const stream = await readOrder(world.sql, orderId);
    const drive = { paymentId, actor: 'reconciliation', requestId: undefined } as const;
    const { status } = attemptOf(stream, paymentId);
    if (status !== 'started' && status !== 'authorized') continue;
    const driven =
      status === 'started' ? await lookForHold(world, stream, drive) : await lookAtHold(world, stream, drive);
    if (driven.status === 'settled') world.log.info({ orderId, paymentId }, 'a parked payment was concluded');
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

/** The ledger does not know whether Square made a hold, so it looks at all payments of the order. */
async function lookForHold(world: World, stream: OrderStream, drive: Drive): Promise<Driven> {
  const [placed] = stream.events;
  const since = new Date(Date.parse(placed?.occurredAt ?? '') - skewMs).toISOString();
  const listed = await world.card.listForOrder({ orderId: stream.orderId, since });
  if (listed.kind === 'unknown') return { stream, status: 'unknown' };
  const { attempts, orphans } = paymentStateOf(stream);
  const known = new Set([
    ...[...attempts.values()].map(({ authorization }) => authorization?.squarePaymentId),
    ...orphans,
  ]);
  const unknown = listed.payments.filter(({ squarePaymentId }) => !known.has(squarePaymentId));
  if (unknown.some(({ status }) => status === 'approved' || status === 'pending')) return { stream, status: 'unknown' };
  const taken = unknown.find(({ status }) => status === 'completed');
  return taken === undefined
    ? voidAttempt(world, stream, { ...drive, reason: 'AuthorizationUnknown' })
    : adoptTaken(world, stream, { ...drive, payment: taken });
}

/** Square's clock may be behind the server's. */
const skewMs = 5 * 60_000;

/** An operator completed the hold in Square's dashboard, so the order is paid. */
async function adoptTaken(
  world: World,
  stream: OrderStream,
  { payment, ...drive }: Drive & { readonly payment: CardPayment },
): Promise<Driven> {
  const recorded = await recordAuthorization(world, stream, { ...drive, payment });
  if (recorded.rejection === undefined) return lookAtHold(world, recorded.stream, drive);
  if (recorded.rejection.code !== 'AmountDiffers') return { stream: recorded.stream, status: 'unknown' };
  // Then the payment is an orphan, which reconciliation returns.
  return voidAttempt(world, recorded.stream, { ...drive, reason: 'AmountDiffers' });
}
