import {
  type BooksAttention,
  type ProofPlaces,
  readBooksAttention,
} from '../../accounting/queries/read-books-attention.ts';
import type { Sql } from '../database/database.ts';
import { isDatabaseAway } from '../database/failures.ts';
import { repeatWhileAway } from '../database/repeat-while-away.ts';
import { type Heartbeat, readLateJobs } from '../ledger/jobs.ts';
import type { Logger } from '../runtime/logger.ts';
import { type NeedsAttention, readAttention } from './read-attention.ts';

export type AllAttention = {
  readonly ofOrders: readonly NeedsAttention[];
  readonly ofBooks: readonly BooksAttention[];
  readonly lateJobs: readonly Heartbeat[];
  /** A part could not be read. */
  readonly isIncomplete: boolean;
};

type AttentionWorld = { readonly sql: Sql; readonly log: Logger };

/**
 * @param proof undefined: without the books.
 * @throws when the database is away.
 */
export async function readAllAttention({ sql, log }: AttentionWorld, proof?: ProofPlaces): Promise<AllAttention> {
  let isIncomplete = false;
  const part = async <Item>(read: () => Promise<readonly Item[]>): Promise<readonly Item[]> => {
    try {
      return await repeatWhileAway(read);
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      isIncomplete = true;
      log.error({ err: error }, 'a part of what needs attention could not be read');
      return [];
    }
  };
  const [ofOrders, ofBooks, lateJobs] = await Promise.all([
    part(() => readAttention(sql)),
    part(async () => (proof === undefined ? [] : await readBooksAttention(sql, proof))),
    part(() => readLateJobs(sql)),
  ]);
  return { ofOrders, ofBooks, lateJobs, isIncomplete };
}
