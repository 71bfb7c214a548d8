import type { AttentionKind } from '../../../contract/attention.ts';
import type { Sql } from '../database/database.ts';
import { isDatabaseAway } from '../database/failures.ts';
import { repeatWhileAway } from '../database/repeat-while-away.ts';
import { type Heartbeat, readLateJobs } from '../ledger/jobs.ts';
import type { Logger } from '../runtime/logger.ts';
import { type NeedsAttention, readAttention } from './read-attention.ts';

export type RoomAttention = {
  readonly kind: AttentionKind;
  readonly count: number;
  /** Null: the kind says everything. */
  readonly detail: string | null;
};

export type AttentionSource = () => Promise<readonly RoomAttention[]>;

export type AllAttention = {
  readonly ofOrders: readonly NeedsAttention[];
  readonly ofRooms: readonly RoomAttention[];
  readonly lateJobs: readonly Heartbeat[];
  /** A part could not be read. */
  readonly isIncomplete: boolean;
};

type AttentionWorld = { readonly sql: Sql; readonly log: Logger };

/** @throws when the database is away. */
export async function readAllAttention(
  { sql, log }: AttentionWorld,
  sources: readonly AttentionSource[],
): Promise<AllAttention> {
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
  const [ofOrders, lateJobs, ...ofRooms] = await Promise.all([
    part(() => readAttention(sql)),
    part(() => readLateJobs(sql)),
    ...sources.map(part),
  ]);
  return { ofOrders, lateJobs, ofRooms: ofRooms.flat(), isIncomplete };
}
