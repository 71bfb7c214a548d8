import { canonicalJson } from '../hash.ts';

export type Difference = {
  /** An order's id, a payout's id, or a day. */
  readonly of: string;
  readonly what: string;
};

export function differenceOf(
  of: string,
  subject: string,
  { live, folded }: { readonly live: object | undefined; readonly folded: object | undefined },
): readonly Difference[] {
  if (live === undefined && folded === undefined) return [];
  if (live === undefined) return [{ of, what: `${subject} is missing` }];
  if (folded === undefined) return [{ of, what: `${subject} is there, and the ledger knows nothing of it` }];
  const [stored, expected] = [valuesOf(live), valuesOf(folded)];
  const columns = [...new Set([...Object.keys(stored), ...Object.keys(expected)])]
    .filter((column) => canonicalJson(stored[column] ?? null) !== canonicalJson(expected[column] ?? null))
    .map((column) => `${column} is ${shown(stored[column])}, and the ledger says ${shown(expected[column])}`);
  return columns.length === 0 ? [] : [{ of, what: `${subject}: ${columns.join('; ')}` }];
}

/** Instants become text without the microseconds of the database, which no event has. */
function valuesOf(row: object): Readonly<Record<string, unknown>> {
  const written = JSON.parse(JSON.stringify(row)) as Record<string, unknown>;
  for (const [column, instant] of Object.entries(written)) {
    if (column.endsWith('_at') && typeof instant === 'string') written[column] = new Date(instant).toISOString();
  }
  return written;
}

function shown(value: unknown): string {
  return value === undefined || value === null ? 'nothing' : canonicalJson(value);
}
