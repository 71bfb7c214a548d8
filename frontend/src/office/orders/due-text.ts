import type { AdminOrder } from '@kilim/bff/contract/orders';
import type { Tier } from '@kilim/domain/catalog';
import { parseDay } from '@kilim/domain/day';
import { dueDay } from '@kilim/domain/order/due';
import { calendarDayText, isoDay } from '../shared/ui/format.ts';

/** The tier's turnaround, from the agreed or preferred pickup, else from the order's day. */
export function dueOf({ createdAt, customerInfo, agreedPickup }: AdminOrder, tier: Tier, timeZone: string): string {
  const wished = parseDay(customerInfo?.pickupDay ?? '');
  const from = agreedPickup?.day ?? wished ?? parseDay(isoDay(new Date(createdAt), timeZone));
  return from === undefined ? '' : calendarDayText(dueDay(tier, from));
}
