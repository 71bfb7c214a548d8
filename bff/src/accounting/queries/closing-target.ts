import type { Sql, Transaction } from '../../core/database/database.ts';
import { closingsCodec, closingsStream } from '../../core/ledger/codecs/closings.ts';
import type { AnyEvent } from '../../core/ledger/codecs/codec.ts';
import { streamTarget, type Target } from '../../core/ledger/handle.ts';
import { type BooksHistory, readBooksHistory, type StreamKind } from '../../core/ledger/read.ts';

type Seen = { readonly history: BooksHistory };

/**
 * An append takes a lock, and is a conflict if either stream has changed: a closing and a reopening never pass each
 * other.
 */
export function closingTarget<SeenMore extends Seen, Event extends AnyEvent>(
  sql: Sql,
  kind: StreamKind<Event>,
  { streamOf, read }: { readonly streamOf: keyof BooksHistory; readonly read: () => Promise<SeenMore> },
): Target<SeenMore, Event, { readonly version: number }> {
  return {
    streamId: kind.streamId,
    read,
    append: (seen, recording) =>
      sql.begin(async (transaction) => {
        await transaction`select pg_advisory_xact_lock(hashtextextended('closings', 0))`;
        if (!(await isUnchanged(transaction, seen))) return { outcome: 'conflict' } as const;
        const { version } = seen.history[streamOf];
        const readVersion = () => Promise.resolve({ version });
        return await streamTarget(transaction, kind, readVersion).append({ version }, recording);
      }),
  };
}

export function closingsTarget(sql: Sql) {
  const kind = { streamId: closingsStream, codec: closingsCodec };
  return closingTarget(sql, kind, {
    streamOf: 'closings',
    read: async () => ({ history: await readBooksHistory(sql) }),
  });
}

async function isUnchanged(transaction: Transaction, { history }: Seen): Promise<boolean> {
  const { books, closings } = await readBooksHistory(transaction);
  return books.version === history.books.version && closings.version === history.closings.version;
}
