import type { CustomerInfo } from '@kilim/bff/contract/quote';
import { parseDay } from '@kilim/domain/day';
import { formatWeekday } from '@kilim/domain/format-day';
import { pickupTexts } from './texts.ts';

type Wish = Pick<CustomerInfo, 'pickupDay' | 'pickupWindow'>;

/** `Friday, November 27, morning` */
export function wishText(customer: Wish | null, noWish: string = pickupTexts.noWish): string {
  const day = parseDay(customer?.pickupDay ?? '');
  return [day && formatWeekday(day), customer?.pickupWindow].filter(Boolean).join(', ') || noWish;
}
