import type { BooksEvent } from '@kilim/domain/accounting/books';
import { accounts } from '@kilim/domain/accounting/chart';
import { z } from 'zod';
import { createCodec, day, each } from './codec.ts';

export const booksStream = 'accounting';

const accountName = z.object({ name: z.string(), code: z.string() });

const chart = z.object({ accounts: z.object(each(accounts, accountName)), taxRate: z.string() });

export const booksCodec = createCodec<BooksEvent>({
  payloads: {
    PeriodClosed: z.object({
      through: day,
      timeZone: z.string(),
      endsAt: z.string(),
      horizon: z.object({ epoch: z.int(), xid: z.string() }),
      chart,
      by: z.string(),
    }),
    AccountsNamed: z.object({ chart, by: z.string() }),
  },
});
