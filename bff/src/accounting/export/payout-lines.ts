import { type Booking, isLate } from '@kilim/domain/accounting/booking';
import { type Cents, decimalDollars, negate, noCents } from '@kilim/domain/money';
import type { PayoutFailed, PayoutPaid } from '@kilim/domain/payout/events';
import { csvLine, textCell } from '../../core/csv/csv.ts';
import type { Sql } from '../../core/database/database.ts';
import { linesInSql } from '../queries/list-payouts.ts';
import { type PayoutLine, type PayoutLines, readPayouts } from '../queries/read-payouts.ts';
import { bookingOf, type MoneyRow, moneyRows } from './bookings.ts';
import { readRows, type Selection } from './selection.ts';

// `net` of the payouts of a range adds up to the change of the bank account.

const payoutLinesHeader = csvLine([
  ...['posted_on', 'business_date', 'late', 'payout_id', 'bank_reference', 'movement', 'at', 'activity'],
  ...['matched_with', 'order_id', 'square_payment_id', 'square_refund_id', 'square_dispute_id'],
  ...['gross', 'fee', 'net', 'currency'],
]);

type Moved = Omit<Booking, 'event'> & { readonly event: PayoutPaid | PayoutFailed };

const payoutsPerPage = 25;

/** The payouts that reached the bank in a range, and a line for each that the bank sent back. */
export async function* payoutLines(sql: Sql, selection: Selection): AsyncGenerator<string, void> {
  const moved: Moved[] = [];
  for await (const rows of readRows<MoneyRow>(sql, selection, {
    ...moneyRows,
    types: ['PayoutPaid', 'PayoutFailed'],
  })) {
    moved.push(...rows.map((row) => bookingOf(row, selection.scope)).filter(movesBank));
  }
  yield payoutLinesHeader;
  for (let first = 0; first < moved.length; first += payoutsPerPage) {
    const page = moved.slice(first, first + payoutsPerPage);
    const payouts = await readPayouts(
      sql,
      page.map(({ event }) => event.squarePayoutId),
    );
    for (const booking of page) yield linesOf(booking, payouts.get(booking.event.squarePayoutId));
  }
}

export function movesBank(booking: Booking): booking is Moved {
  const { event } = booking;
  return event.type === 'PayoutPaid' || (event.type === 'PayoutFailed' && event.wasPaid);
}

export async function countPayoutLines(sql: Sql, moved: readonly Booking['event'][]): Promise<number> {
  const arrived = moved.flatMap((event) => (event.type === 'PayoutPaid' ? [event.squarePayoutId] : []));
  const [row] = await sql<{ lines: number }[]>`
    select coalesce(sum(greatest(1, ${linesInSql(sql)})), 0)::integer as lines from ledger.event
    where stream_id = any (${sql.typed.textArray(arrived.map((id) => `payout-${id}`))}::text[]) and type = 'PayoutRecorded'`;
  return (row?.lines ?? 0) + moved.length - arrived.length;
}

function linesOf({ event, postedOn, day }: Moved, payout: PayoutLines | undefined): string {
  if (payout === undefined) throw new Error(`The ledger has no lines of payout ${event.squarePayoutId}`);
  const { amount, endToEndId = '', lines } = payout;
  const begin = [postedOn, day, isLate({ postedOn, day }) ? 'late' : '', textCell(event.squarePayoutId)];
  const reference = textCell(endToEndId);
  const lineOf = (movement: string, cells: readonly string[]) => csvLine([...begin, reference, movement, ...cells]);
  if (event.type === 'PayoutFailed') return lineOf('sent back', withoutLines('PAYOUT_SENT_BACK', negate(amount)));
  if (lines.length === 0) return lineOf('arrived', withoutLines('PAYOUT_WITHOUT_LINES', amount));
  return lines.map((line) => lineOf('arrived', cellsOf(line))).join('');
}

function cellsOf({ effectiveAt = '', activity, standing, orderId = '', ...line }: PayoutLine): readonly string[] {
  const { squarePaymentId = '', squareRefundId = '', squareDisputeId = '', gross, fee, net } = line;
  const ids = [squarePaymentId, squareRefundId, squareDisputeId].map(textCell);
  return [textCell(effectiveAt), textCell(activity), standing, orderId, ...ids, ...amounts(gross, fee, net)];
}

function withoutLines(activity: string, amount: Cents): readonly string[] {
  return ['', activity, ...['', '', '', '', ''], ...amounts(amount, noCents, amount)];
}

function amounts(...cells: readonly Cents[]): readonly string[] {
  return [...cells.map(decimalDollars), 'USD'];
}
