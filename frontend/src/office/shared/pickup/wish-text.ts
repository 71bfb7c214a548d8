import type { CustomerInfo } from '@kilim/bff/contract/quote';
import { parseDay } from '@kilim/domain/day';
import { formatWeekday } from '@kilim/domain/format-day';
import { pickupTexts } from './texts.ts';

/** `Friday, November 27, morning` */
export function wishText(customer: Pick<CustomerInfo, 'pickupDay' | 'pickupWindow'> | null): string {
  const day = parseDay(customer?.pickupDay ?? '');
  return [day && formatWeekday(day), customer?.pickupWindow].filter(Boolean).join(', ') || pickupTexts.noWish;
}
