import { formatDay } from '@kilim/domain/format-day';
import { formatDollars, sumCents } from '@kilim/domain/money';
import type { OrderId } from '@kilim/domain/order/ids';
import { orderNumberOf } from '@kilim/domain/order/number';
import type { AttentionKind } from '../../../../contract/attention.ts';
import type { Heartbeat } from '../../ledger/jobs.ts';
import type { RoomAttention } from '../../queries/read-all-attention.ts';
import type { NeedsAttention } from '../../queries/read-attention.ts';
import { dayIn } from '../../runtime/day-in.ts';
import { type Letter, text } from '../letter.ts';

type Words = { readonly one: string; readonly many: string };

/** The most urgent first. */
const words = {
  'refund-unproven': {
    one: 'refund that no server requested',
    many: 'refunds that no server requested',
  },
  'limits-unproven': { one: 'limit change that no server recorded', many: '' },
  'payment-risky': {
    one: 'payment may be fraud, says Square',
    many: 'payments may be fraud, says Square',
  },
  'refund-failed': {
    one: 'refund failed',
    many: 'refunds failed',
  },
  'dispute-open': {
    one: 'payment is disputed by a bank',
    many: 'payments are disputed by banks',
  },
  'payout-returned': {
    one: 'payout was sent back by your bank',
    many: 'payouts were sent back by your bank',
  },
  'work-parked': {
    one: 'call to Square waits for a person',
    many: 'calls to Square wait for a person',
  },
  'payment-unknown': {
    one: 'payment has an unknown outcome',
    many: 'payments have an unknown outcome',
  },
  'refund-unknown': {
    one: 'refund has an unknown outcome',
    many: 'refunds have an unknown outcome',
  },
  'refund-overdue': {
    one: 'refund has been pending for more than two days',
    many: 'refunds have been pending for more than two days',
  },
  'mail-undelivered': {
    one: 'email waits for a decision',
    many: 'emails wait for a decision',
  },
  'difference-unpaid': {
    one: 'customer has not paid a difference',
    many: 'customers have not paid a difference',
  },
  'rugs-late': { one: 'order is in the shop and late', many: 'orders are in the shop and late' },
  'rugs-uncollected': {
    one: 'order is ready and not collected',
    many: 'orders are ready and not collected',
  },
  'books-differ': { one: 'difference in the books', many: 'differences in the books' },
  'clearing-alarm': {
    one: 'alarm about the money at Square',
    many: 'alarms about the money at Square',
  },
  'verification-faults': {
    one: 'fault in the last check of the records',
    many: 'faults in the last check of the records',
  },
  'seal-refused': {
    one: 'reason why new records are not protected',
    many: 'reasons why new records are not protected',
  },
  'witness-late': {
    one: 'place got no daily proof of the records for more than a day',
    many: 'places got no daily proof of the records for more than a day',
  },
  'witness-missing': { one: 'proof is missing: nobody outside the shop could prove the records', many: '' },
} satisfies Record<Exclude<AttentionKind, 'job-late' | 'clock-off' | 'list-incomplete'>, Words>;

/** Of what is about orders. The page Today advises on the rest. */
const advice: Partial<Record<AttentionKind, string>> = {
  'refund-unproven': 'Nothing was sent to Square. Tell the person who runs the server.',
  'payment-risky': 'Call the customer before you collect the rugs or give them back.',
  'refund-failed': 'Give the money back another way, and record it on the order.',
  'dispute-open': 'Send your evidence in the Square dashboard.',
  'work-parked': 'Ask Square again on the page Today.',
  'payment-unknown': 'The server keeps asking Square. Do not take the money another way meanwhile.',
  'refund-unknown': 'The server keeps asking Square. Do not give the money back another way meanwhile.',
  'refund-overdue': 'Look them up in the Square dashboard.',
  'difference-unpaid': 'Call the customer, ask again or waive the difference.',
  'rugs-uncollected': 'Call the customer.',
  'mail-undelivered': 'Send it again on the page Today, or reach the person another way.',
};

export type SummaryFacts = {
  readonly ofOrders: readonly NeedsAttention[];
  readonly ofRooms: readonly Pick<RoomAttention, 'kind' | 'count'>[];
  readonly lateJobs: readonly Pick<Heartbeat, 'name' | 'meaning'>[];
  /** A part of the facts could not be read. */
  readonly isIncomplete: boolean;
  readonly todayUrl: string;
  readonly timeZone: string;
};

/** @returns undefined when nothing waits. */
export function attentionSummary({ todayUrl, timeZone, ...facts }: SummaryFacts): Letter | undefined {
  const waits = whatWaits(facts).map(({ kind, sentence }) => {
    if (kind === 'job-late') return { kind, sentence: `The server needs help: ${sentence}` };
    const found = facts.ofOrders.filter((item) => item.kind === kind);
    return { kind, sentence: `${sentence}${dueText(found, timeZone)}` };
  });
  const [first] = waits;
  if (first === undefined) return undefined;
  return {
    subject: `Needs attention: ${first.sentence}${waits.length === 1 ? '' : ', and more'}`,
    heading: 'This needs attention',
    parts: [
      { kind: 'list', items: waits.map(({ kind, sentence }) => `${sentence}${onOrders(kind, facts.ofOrders)}`) },
      text('The page Today says for each of them what to do.'),
      { kind: 'link', text: 'Open the page Today', url: todayUrl },
    ],
  };
}

const mostNumbers = 5;

function onOrders(kind: AttentionKind, ofOrders: SummaryFacts['ofOrders']): string {
  const orders = ofOrders.flatMap(({ kind: of, orderId }) => (of === kind && orderId !== null ? [orderId] : []));
  const numbers = [...new Set(orders)].map((orderId) => orderNumberOf(orderId as OrderId));
  const named = numbers.slice(0, mostNumbers).join(', ');
  const more = numbers.length > mostNumbers ? ` and ${numbers.length - mostNumbers} more` : '';
  const which = named === '' ? '' : ` (${numbers.length === 1 ? 'order' : 'orders'} ${named}${more})`;
  const todo = advice[kind];
  return todo === undefined ? which : `${which}. ${todo}`;
}

type Waits = { readonly kind: AttentionKind; readonly id: string; readonly sentence: string };

/** The most urgent first. */
export function whatWaits({ ofOrders, ofRooms, lateJobs, isIncomplete }: Omit<SummaryFacts, 'todayUrl' | 'timeZone'>) {
  const items: Waits[] = Object.entries(words).flatMap(([kind, { one, many }]) => {
    const found = ofOrders.filter((item) => item.kind === kind);
    const count = found.length + sumOf(ofRooms.filter((item) => item.kind === kind).map((item) => item.count));
    if (count === 0) return [];
    const amounts = found.flatMap(({ amount }) => (amount === null ? [] : [amount]));
    const amount = amounts.length === 0 ? '' : `, ${formatDollars(sumCents(amounts))}`;
    const sentence = `${count.toLocaleString('en-US')} ${count === 1 ? one : many}${amount}`;
    return [{ kind: kind as AttentionKind, id: kind, sentence }];
  });
  for (const { name, meaning } of lateJobs) {
    items.push({ kind: 'job-late', id: name, sentence: meaning });
  }
  if (isIncomplete) {
    const sentence = 'a part of this list could not be read: please tell the person who runs the server';
    items.push({ kind: 'list-incomplete', id: 'list-incomplete', sentence });
  }
  return items;
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

function dueText(found: readonly NeedsAttention[], timeZone: string): string {
  const [first] = found.flatMap(({ dueAt }) => (dueAt === null ? [] : [dayIn(timeZone, dueAt)])).toSorted();
  return first === undefined ? '' : `, evidence is due by ${formatDay(first)}`;
}
