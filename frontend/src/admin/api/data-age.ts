import type { ApiAnswer } from '../../shared/api-client.ts';

/** Data with their age. */
export type Aged<Data> = Data & { readonly ageSeconds: number };

/** Younger data count as current. */
const noticeableSeconds = 5;

/** How old the data of an answer may be: a read replica follows the database with some delay. */
export function ageSecondsOf({ headers }: Pick<ApiAnswer<unknown>, 'headers'>): number {
  const seconds = Number(headers.get('x-data-age') ?? '0');
  return Number.isFinite(seconds) ? seconds : 0;
}

/** A sentence for data that are noticeably old; undefined otherwise. */
export function ageText(ageSeconds: number): string | undefined {
  return ageSeconds > noticeableSeconds ? `This may be ${ageSeconds} seconds behind the newest orders.` : undefined;
}
