import { formatDollars, sumCents } from '@kilim/domain/money';
import type { AttentionKind } from '../../../../contract/attention.ts';
import type { Heartbeat } from '../../ledger/jobs.ts';
import type { RoomAttention } from '../../queries/read-all-attention.ts';
import type { NeedsAttention } from '../../queries/read-attention.ts';
import { type Letter, text } from '../letter.ts';

type Words = { readonly one: string; readonly many: string };

/** The most urgent first. */
const words = {
  'refund-unproven': { one: 'refund that no server requested', many: 'refunds that no server requested' },
  'limits-unproven': { one: 'limit change that no server recorded', many: '' },
  'payment-risky': {
    one: 'payment may be fraud, says Square: please call the customer first',
    many: 'payments may be fraud, says Square: please call the customers first',
  },
  'refund-failed': { one: 'refund failed', many: 'refunds failed' },
  'dispute-open': { one: 'payment is disputed by a bank', many: 'payments are disputed by banks' },
  'work-parked': { one: 'call to Square waits for a person', many: 'calls to Square wait for a person' },
  'payment-unknown': { one: 'payment has an unknown outcome', many: 'payments have an unknown outcome' },
  'refund-unknown': { one: 'refund has an unknown outcome', many: 'refunds have an unknown outcome' },
  'refund-overdue': {
    one: 'refund has been pending for more than two days',
    many: 'refunds have been pending for more than two days',
  },
  'mail-undelivered': { one: 'email waits for a decision', many: 'emails wait for a decision' },
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

export type SummaryFacts = {
  readonly ofOrders: readonly NeedsAttention[];
  readonly ofRooms: readonly Pick<RoomAttention, 'kind' | 'count'>[];
  readonly lateJobs: readonly Pick<Heartbeat, 'name' | 'meaning'>[];
  /** A part of the facts could not be read. */
  readonly isIncomplete: boolean;
  readonly todayUrl: string;
};

/** @returns undefined when nothing waits. */
export function attentionSummary({ todayUrl, ...facts }: SummaryFacts): Letter | undefined {
  const items = whatWaits(facts).map(({ kind, sentence }) =>
    kind === 'job-late' ? `The server needs help: ${sentence}` : sentence,
  );
  if (items.length === 0) return undefined;
  return {
    subject: `Needs attention: ${items[0]}${items.length === 1 ? '' : ', and more'}`,
    heading: 'This needs attention',
    parts: [
      { kind: 'list', items },
      text('The back office says for each of them what to do.'),
      { kind: 'link', text: 'Open the page Today', url: todayUrl },
    ],
  };
}

type Waits = { readonly kind: AttentionKind; readonly id: string; readonly sentence: string };

/** The most urgent first. */
export function whatWaits({ ofOrders, ofRooms, lateJobs, isIncomplete }: Omit<SummaryFacts, 'todayUrl'>) {
  const items: Waits[] = Object.entries(words).flatMap(([kind, { one, many }]) => {
    const found = ofOrders.filter((item) => item.kind === kind);
    const count = found.length + sumOf(ofRooms.filter((item) => item.kind === kind).map((item) => item.count));
    if (count === 0) return [];
    const amounts = found.flatMap(({ amount }) => (amount === null ? [] : [amount]));
    const amount = amounts.length === 0 ? '' : `, ${formatDollars(sumCents(amounts))}`;
    const sentence = `${count} ${count === 1 ? one : many}${amount}${dueText(found)}`;
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

function dueText(found: readonly NeedsAttention[]): string {
  const [first] = found.flatMap(({ dueAt }) => (dueAt === null ? [] : [dueAt.toISOString()])).toSorted();
  return first === undefined ? '' : `, evidence is due by ${first.slice(0, 'yyyy-mm-dd'.length)}`;
}
