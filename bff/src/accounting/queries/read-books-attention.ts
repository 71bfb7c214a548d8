import { cents, formatDollars } from '@kilim/domain/money';
import { reconciliation } from '../../core/background/reconcile-weeks.ts';
import { onlyRow, type Sql } from '../../core/database/database.ts';
import { readFinding } from '../../core/ledger/findings.ts';
import type { RoomAttention } from '../../core/queries/read-all-attention.ts';
import { readResolutions } from '../../core/queries/resolutions.ts';
import { clearingAlarmMessage } from '../http/books-messages.ts';
import { booksComparison } from './compare-books.ts';
import { openDifferences } from './open-differences.ts';

export async function readBooksAttention(sql: Sql): Promise<readonly RoomAttention[]> {
  const [comparison, compared, resolutions, returned] = await Promise.all([
    readFinding(sql, 'books', booksComparison),
    readFinding(sql, 'reconciliation', reconciliation),
    readResolutions(sql),
    readReturnedPayouts(sql),
  ]);
  const { differing, unmatched } = openDifferences(
    { comparison: comparison?.report, reconciliation: compared?.report },
    resolutions,
  );
  const count = differing + unmatched + (comparison?.report.differing ?? 0);
  const detail = `${count.toLocaleString('en-US')} ${count === 1 ? 'difference' : 'differences'}.`;
  const sum = formatDollars(cents(returned.amount));
  return [
    ...(returned.count > 0
      ? [
          {
            kind: 'payout-returned',
            count: returned.count,
            detail: returned.count === 1 ? `It is ${sum}.` : `${returned.count} payouts, ${sum}.`,
          } as const,
        ]
      : []),
    ...(count > 0 ? [{ kind: 'books-differ', count, detail } as const] : []),
    ...(comparison?.report.clearing.alarms ?? []).map(
      (alarm) => ({ kind: 'clearing-alarm', count: 1, detail: clearingAlarmMessage(alarm) }) as const,
    ),
  ];
}

/** Since the last payout that arrived: then the bank account is right. */
async function readReturnedPayouts(sql: Sql): Promise<{ readonly count: number; readonly amount: number }> {
  return await onlyRow(sql<{ count: number; amount: number }[]>`
    select count(*)::int as count, coalesce(sum(amount_cents), 0)::bigint as amount
    from ledger.event failed
    where type = 'PayoutFailed' and not exists (
      select from ledger.event arrived
      where arrived.type = 'PayoutPaid'
        and (arrived.epoch, arrived.xid, arrived.position) > (failed.epoch, failed.xid, failed.position)
    )`);
}
