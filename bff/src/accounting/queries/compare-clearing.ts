import { cents } from '@kilim/domain/money';
import { z } from 'zod';
import type { Transaction } from '../../core/database/database.ts';
import { readResolutions } from '../../core/queries/resolutions.ts';
import { type ClearingSummary, itemStates, readClearingItems, sumClearing } from './clearing-items.ts';

const money = z.int().transform(cents);

const alarm = z.enum([
  /** Square will collect it from the bank. */
  'Negative',
  'NotPaidOut',
  /** The balance is not the sum of its items. */
  'Unexplained',
]);
export type ClearingAlarm = z.output<typeof alarm>;

export const clearingComparison = z.object({
  balance: money,
  items: z.int(),
  onItsWay: money,
  recent: money,
  beforeFirstPayout: money,
  notPaidOut: money,
  notPaidOutItems: z.int(),
  unexplained: money,
  resolutions: z.int(),
  alarms: z.array(alarm),
  /** The first hundred, the oldest first. */
  openItems: z.array(
    z.object({
      kind: z.enum(['order', 'orphan', 'payout', 'betweenPayouts']),
      squareId: z.string(),
      orderId: z.string().nullable(),
      amount: money,
      at: z.string(),
      onItsWayIn: z.string().nullable(),
      state: z.enum(itemStates),
    }),
  ),
});

export async function compareClearing(reader: Transaction, now: Date): Promise<z.input<typeof clearingComparison>> {
  const summary = await sumClearing(reader, { events: 'true', now });
  const items = await readClearingItems(reader, { events: 'true', now, most: 100 });
  const { version: resolutions } = await readResolutions(reader);
  return {
    ...summary,
    resolutions,
    alarms: alarmsOf(summary),
    openItems: items.map((item) => ({ ...item, at: item.at.toISOString() })),
  };
}

function alarmsOf({ balance, notPaidOutItems, unexplained }: ClearingSummary): ClearingAlarm[] {
  return [
    ...(balance < 0 ? ['Negative' as const] : []),
    ...(notPaidOutItems > 0 ? ['NotPaidOut' as const] : []),
    ...(unexplained === 0 ? [] : ['Unexplained' as const]),
  ];
}
