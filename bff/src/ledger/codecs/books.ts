import { type BooksEvent, editions } from '@kilim/domain/accounting/books';
import { accounts, type ChartOfAccounts, usualChart } from '@kilim/domain/accounting/chart';
import { parseDay } from '@kilim/domain/accounting/day';
import { z } from 'zod';
import { branded, createCodec } from './codec.ts';

export const booksStream = 'accounting';

const accountName = z.object({ name: z.string(), code: z.string() });

/** An account that did not exist when the names were recorded gets its usual name. */
const chart = z.object({ accounts: z.partialRecord(z.enum(accounts), accountName), taxRate: z.string() }).transform(
  ({ accounts: named, taxRate }): ChartOfAccounts => ({
    accounts: { ...usualChart.accounts, ...named },
    taxRate,
  }),
);

export const booksCodec = createCodec<BooksEvent>({
  payloads: {
    PeriodClosed: z.object({
      through: branded('a day', parseDay),
      timeZone: z.string(),
      endsAt: z.string(),
      horizon: z.object({ epoch: z.int(), xid: z.string() }),
      edition: z.literal(editions).exactOptional(),
      chart,
      by: z.string(),
    }),
    AccountsNamed: z.object({ chart, by: z.string() }),
  },
});
