import { createHash } from 'node:crypto';
import { type DayEntry, isLate } from '@kilim/domain/accounting/booking';
import { chartOn } from '@kilim/domain/accounting/books';
import { type Account, accounts } from '@kilim/domain/accounting/chart';
import type { Day } from '@kilim/domain/day';
import { decimalDollars } from '@kilim/domain/money';
import { csvLine, textCell } from '../../core/csv/csv.ts';
import { creditOf, debitOf } from './journal-lines.ts';
import type { Scope } from './scope.ts';

// One entry a day and one for each payout, because both programs import a few hundred lines at most.

/** QuickBooks' dates begin with the month. */
export const quickbooksHeader = csvLine([
  'Journal No',
  'Journal Date',
  'Account Name',
  'Description',
  'Debits',
  'Credits',
]);

/** The same entry always has the same number, so programs notice a second import. At most 21 characters. */
function journalNumber({ postedOn, day, payout }: DayEntry): string {
  const compact = (date: Day) => date.replaceAll('-', '');
  if (payout !== undefined) {
    const id = createHash('sha256').update(payout.squarePayoutId).digest('hex').slice(0, 8);
    return `${payout.isReturn ? 'R' : 'P'}${compact(postedOn)}-${id}`;
  }
  return postedOn === day ? `K${compact(postedOn)}` : `K${compact(postedOn)}-L${compact(day)}`;
}

export function quickbooksLines(entry: DayEntry, scope: Scope): string {
  const { accounts: names } = chartOn(entry.postedOn, scope.books);
  const number = journalNumber(entry);
  const [year, month, date] = entry.postedOn.split('-');
  return linesOf(entry)
    .map(([account, amount]) =>
      csvLine([
        number,
        `${month}/${date}/${year}`,
        textCell(names[account].name),
        textCell(narration(entry)),
        debitOf(amount),
        creditOf(amount),
      ]),
    )
    .join('');
}

export const xeroHeader = csvLine([
  '*Narration',
  '*Date',
  'Description',
  '*AccountCode',
  '*TaxRate',
  '*Amount',
  'TrackingName1',
  'TrackingOption1',
  'TrackingName2',
  'TrackingOption2',
]);

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** The month is a word, which Xero accepts in every country. A debit is positive. */
export function xeroLines(entry: DayEntry, scope: Scope): string {
  // Xero refuses manual journals with a bank account; its bank feed has the payouts.
  if (entry.payout !== undefined) return '';
  const { accounts: names, taxRate } = chartOn(entry.postedOn, scope.books);
  const written = xeroDate(entry.postedOn);
  return linesOf(entry)
    .map(([account, amount]) =>
      csvLine([
        textCell(`${narration(entry)} (${journalNumber(entry)})`),
        written,
        textCell(names[account].name),
        textCell(names[account].code),
        textCell(taxRate),
        decimalDollars(amount),
        ...['', '', '', ''],
      ]),
    )
    .join('');
}

function xeroDate(day: Day): string {
  const [year, month, date] = day.split('-');
  return `${date} ${months[Number(month) - 1] ?? ''} ${year}`;
}

function narration(entry: DayEntry): string {
  if (entry.payout !== undefined) {
    const { squarePayoutId, isReturn } = entry.payout;
    return `Kilim: Square payout ${squarePayoutId} ${isReturn ? 'sent back' : 'arrived'} ${entry.day}`;
  }
  return isLate(entry) ? `Kilim: late facts of ${entry.day}` : `Kilim: business of ${entry.day}`;
}

export function countLines(entry: DayEntry): number {
  return linesOf(entry).length;
}

/** An unchanged account has no line. */
function linesOf({ balances }: DayEntry) {
  return accounts.flatMap((account: Account) => {
    const amount = balances.get(account);
    return amount === undefined || amount === 0 ? [] : [[account, amount] as const];
  });
}
