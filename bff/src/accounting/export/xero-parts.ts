import type { DayEntry } from '@kilim/domain/accounting/booking';
import { type Day, daysBetween } from '@kilim/domain/day';
import { mostXeroLines } from '../../../contract/exports.ts';
import { countLines } from './accounting-programs.ts';
import type { DayRange } from './scope.ts';

/** A single day with more lines stays whole: one narration and date are one journal for Xero. */
export function xeroPartsOf(entries: readonly DayEntry[], { from, to }: DayRange): readonly DayRange[] {
  const linesOn = linesByDay(entries);
  const parts: DayRange[] = [];
  let [start, last, lines] = [from, from, 0];
  for (const day of daysBetween(from, to)) {
    const linesOfDay = linesOn.get(day) ?? 0;
    if (lines > 0 && lines + linesOfDay > mostXeroLines) {
      parts.push({ from: start, to: last });
      [start, lines] = [day, 0];
    }
    lines += linesOfDay;
    last = day;
  }
  return [...parts, { from: start, to }];
}

function linesByDay(entries: readonly DayEntry[]): ReadonlyMap<Day, number> {
  const lines = new Map<Day, number>();
  for (const entry of entries) {
    if (entry.payout !== undefined) continue;
    lines.set(entry.postedOn, (lines.get(entry.postedOn) ?? 0) + countLines(entry));
  }
  return lines;
}
