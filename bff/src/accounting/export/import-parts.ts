import type { DayEntry } from '@kilim/domain/accounting/booking';
import { type Day, daysBetween } from '@kilim/domain/day';
import { type ImportFormat, importLimits } from '../../../contract/exports.ts';
import { countLines } from './accounting-programs.ts';
import type { DayRange } from './scope.ts';

/**
 * Files that a program imports whole. A single day with more lines stays whole: one narration and date are one journal
 * for Xero.
 */
export function partsOf(
  entries: readonly DayEntry[],
  { from, to }: DayRange,
  format: ImportFormat,
): readonly DayRange[] {
  const linesOn = linesByDay(entries, format);
  const parts: DayRange[] = [];
  let [start, last, lines] = [from, from, 0];
  for (const day of daysBetween(from, to)) {
    const linesOfDay = linesOn.get(day) ?? 0;
    if (lines > 0 && lines + linesOfDay > importLimits[format].mostLines) {
      parts.push({ from: start, to: last });
      [start, lines] = [day, 0];
    }
    lines += linesOfDay;
    last = day;
  }
  return [...parts, { from: start, to }];
}

function linesByDay(entries: readonly DayEntry[], format: ImportFormat): ReadonlyMap<Day, number> {
  const lines = new Map<Day, number>();
  for (const entry of entries) {
    // Xero takes payouts as lines of a bank statement.
    if (format === 'xero-csv' && entry.payout !== undefined) continue;
    lines.set(entry.postedOn, (lines.get(entry.postedOn) ?? 0) + countLines(entry));
  }
  return lines;
}
