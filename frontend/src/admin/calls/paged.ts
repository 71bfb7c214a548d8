import type { ApiAnswer } from '../../shared/api-client.ts';

/** One page of a list, and how many there are on all of them. */
export type Paged<Row> = {
  readonly rows: readonly Row[];
  readonly total: number;
  /** The search stopped counting: there may be more. */
  readonly isAtLeast: boolean;
};

export function pagedOf<Row>({ body, headers }: ApiAnswer<readonly Row[]>): Paged<Row> {
  const counted = Number(headers.get('x-total-count') ?? '');
  const total = Number.isSafeInteger(counted) && counted >= body.length ? counted : body.length;
  return { rows: body, total, isAtLeast: headers.get('x-total-at-least') === 'true' };
}
