import type { Day } from '@kilim/domain/day';
import { type Cents, cents, negate } from '@kilim/domain/money';
import type { ActivityTotal, PayoutEvent, PayoutRecorded } from '@kilim/domain/payout/events';
import type { Sql } from '../../../core/database/database.ts';
import type { StoredEvent } from '../../../core/ledger/codecs/codec.ts';
import { payoutCodec } from '../../../core/ledger/codecs/payout.ts';
import { isOneOf } from '../../../core/ledger/money-in-sql.ts';
import { type EventPlace, firstDay, openScope, type Scope } from '../scope.ts';
import { instant, isSelected } from '../selection.ts';
import { type Column, type Row, type Table, totalsOf } from './table.ts';

const columns: readonly Column[] = [
  { name: 'date', kind: 'day' },
  { name: 'payout', kind: 'text' },
  { name: 'state', kind: 'text' },
  { name: 'gross', kind: 'amount' },
  { name: 'refunds_deducted', kind: 'amount' },
  { name: 'fees', kind: 'amount' },
  { name: 'other', kind: 'amount' },
  { name: 'net', kind: 'amount' },
  { name: 'at_bank', kind: 'amount' },
];

/** Only `at_bank` moved the bank account; the totals contain only those rows. */
export async function readPayoutsReport(sql: Sql, { from, to, timeZone }: Scope): Promise<Table> {
  const events = await readPayoutEvents(sql, await openScope(sql, timeZone, { from: firstDay, to }));
  const sent = new Map<string, { readonly event: PayoutRecorded; readonly postedOn: Day }>();
  const ended = new Set<string>();
  const moved: Row[] = [];
  const unmoved: Row[] = [];
  for (const { event, postedOn } of events) {
    if (event.type === 'PayoutEntriesRecorded') continue;
    const { squarePayoutId: id } = event;
    if (event.type === 'PayoutRecorded') {
      sent.set(id, { event, postedOn });
      continue;
    }
    ended.add(id);
    const recorded = sent.get(id)?.event;
    if (recorded === undefined) throw new Error(`Payout ${id} ended and was never recorded`);
    if (postedOn < from) continue;
    const parts = partsOf(recorded);
    if (event.type === 'PayoutPaid') moved.push([postedOn, id, 'Paid', ...parts, event.amount]);
    else if (event.wasPaid) moved.push([postedOn, id, 'Sent back', ...parts.map(negate), negate(event.amount)]);
    else unmoved.push([postedOn, id, 'Failed', ...parts, 0]);
  }
  for (const [id, { event, postedOn }] of sent) {
    if (!ended.has(id)) unmoved.push([postedOn, id, 'On its way', ...partsOf(event), 0]);
  }
  const rows = [...moved.toSorted(byDay), ...unmoved.toSorted(byDay)];
  return { columns, rows, totals: totalsOf(columns, moved) };
}

type PostedPayoutEvent = { readonly event: PayoutEvent; readonly postedOn: Day };

async function readPayoutEvents(sql: Sql, scope: Scope): Promise<readonly PostedPayoutEvent[]> {
  const rows = await sql<PayoutRow[]>`
    select type, schema_version as "schemaVersion", payload::text as payload,
      ${sql.unsafe(instant('occurred_at'))} as "occurredAt", epoch, xid::text
    from ledger.event
    where ${sql.unsafe(isOneOf(['PayoutRecorded', 'PayoutPaid', 'PayoutFailed']))}
      and ${sql.unsafe(isSelected({ scope }))}
    order by event.epoch, event.xid, event.position`;
  return rows.map((row) => ({ event: payoutCodec.decode(row), postedOn: scope.daysOf(row).postedOn }));
}

type PayoutRow = StoredEvent & EventPlace;

type Parts = readonly [gross: Cents, refunds: Cents, fees: Cents, other: Cents, net: Cents];

/** They add up: `gross + refunds + fees + other = net`. Money out is negative. */
function partsOf({ totals, amount }: PayoutRecorded): Parts {
  const grossOf = (activity: ActivityTotal['activity']) =>
    totals.reduce((sum, total) => sum + (total.activity === activity ? total.gross : 0), 0);
  const [gross, refunds] = [grossOf('CHARGE'), grossOf('REFUND')];
  const fees = totals.reduce((sum, { fee }) => sum - fee, 0);
  return [cents(gross), cents(refunds), cents(fees), cents(amount - gross - refunds - fees), amount];
}

function byDay([first]: Row, [second]: Row): number {
  return String(first) < String(second) ? -1 : String(first) > String(second) ? 1 : 0;
}
