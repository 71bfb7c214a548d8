import type { AdminOrder } from '@kilim/bff/contract/orders';
import { parseDay } from '@kilim/domain/accounting/day';
import type { Tier } from '@kilim/domain/catalog';
import { dueDay } from '@kilim/domain/order/due';
import { calendarDayText, isoDay } from '../ui/format.ts';

/**
 * The day on which a rug of this tier is due: its turnaround, counted from the preferred pickup, else from the day of the
 * order.
 */
export function dueOf({ createdAt, customerInfo }: AdminOrder, tier: Tier, timeZone: string): string {
  const from = parseDay(customerInfo?.pickupDay ?? '') ?? parseDay(isoDay(new Date(createdAt), timeZone));
  return from === undefined ? '' : calendarDayText(dueDay(tier, from));
}
