import type { ApiAnswer } from '../../../shared/api-client.ts';

/** Specification, section 9. */
export const rowsPerPage = 10;

export type Paged<Row> = {
  readonly rows: readonly Row[];
  /** Rows on earlier pages. The address may already name the next page while this one is shown. */
  readonly before: number;
  readonly pageSize: number;
  readonly total: number;
  /** The search stopped counting: there may be more. */
  readonly isAtLeast: boolean;
};

/** First row, last row and total: `11`, `20`, `37` or `1,000+`. */
export function rangeOf({ rows, before, total, isAtLeast }: Paged<unknown>): [from: string, to: string, of: string] {
  const written = (count: number) => count.toLocaleString('en-US');
  return [written(before + 1), written(before + rows.length), `${written(total)}${isAtLeast ? '+' : ''}`];
}

type Place = { readonly page?: number; readonly pageSize: number };

export function pagedOf<Row>({ body, headers }: ApiAnswer<readonly Row[]>, { page = 1, pageSize }: Place): Paged<Row> {
  const counted = Number(headers.get('x-total-count') ?? '');
  const total = Number.isSafeInteger(counted) && counted >= body.length ? counted : body.length;
  const isAtLeast = headers.get('x-total-at-least') === 'true';
  const before = (page - 1) * pageSize;
  return { rows: body, before, pageSize, total, isAtLeast };
}
