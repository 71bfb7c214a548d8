import { reconciliation } from '../../core/background/reconcile-weeks.ts';
import type { Sql } from '../../core/database/database.ts';
import { readFinding } from '../../core/ledger/findings.ts';
import type { RoomAttention } from '../../core/queries/read-all-attention.ts';
import { readResolutions } from '../../core/queries/resolutions.ts';
import { clearingAlarmMessage } from '../http/books-messages.ts';
import { booksComparison } from './compare-books.ts';
import { openDifferences } from './open-differences.ts';

export async function readBooksAttention(sql: Sql): Promise<readonly RoomAttention[]> {
  const [comparison, compared, resolutions] = await Promise.all([
    readFinding(sql, 'books', booksComparison),
    readFinding(sql, 'reconciliation', reconciliation),
    readResolutions(sql),
  ]);
  const { differing, unmatched } = openDifferences(
    { comparison: comparison?.report, reconciliation: compared?.report },
    resolutions,
  );
  const count = differing + unmatched + (comparison?.report.differing ?? 0);
  const detail = `${count.toLocaleString('en-US')} ${count === 1 ? 'difference' : 'differences'}.`;
  return [
    ...(count > 0 ? [{ kind: 'books-differ', count, detail } as const] : []),
    ...(comparison?.report.clearing.alarms ?? []).map(
      (alarm) => ({ kind: 'clearing-alarm', count: 1, detail: clearingAlarmMessage(alarm) }) as const,
    ),
  ];
}
