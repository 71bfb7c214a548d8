import { type BooksEvent, editions } from '@kilim/domain/accounting/books';
import { accounts, type ChartOfAccounts, usualChart } from '@kilim/domain/accounting/chart';
import { z } from 'zod';
import { type Codec, createCodec, day } from './codec.ts';

export const booksStream = 'accounting';

const accountName = z.object({ name: z.string(), code: z.string() });

/** An account that did not exist when the names were recorded gets its usual name. */
const chart = z.object({ accounts: z.partialRecord(z.enum(accounts), accountName), taxRate: z.string() }).transform(
  ({ accounts: named, taxRate }): ChartOfAccounts => ({
    accounts: { ...usualChart.accounts, ...named },
    taxRate,
  }),
);

const codec = createCodec<BooksEvent>({
  payloads: {
    PeriodClosed: z.object({
      through: day,
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

export const booksCodec: Codec<BooksEvent> = {
  ...codec,
  encode: (event) => codec.encode({ ...event, chart: chartForEarlierServers(event.chart) }),
};

/**
 * Without the account of reimbursements as long as it has its usual name: servers of release 0.2.0 do not know it, and
 * refuse a chart that names it.
 */
function chartForEarlierServers({ accounts: named, taxRate }: ChartOfAccounts): ChartOfAccounts {
  const { reimbursements, ...earlier } = named;
  const { name, code } = usualChart.accounts.reimbursements;
  if (reimbursements.name !== name || reimbursements.code !== code) return { accounts: named, taxRate };
  return { accounts: earlier as ChartOfAccounts['accounts'], taxRate };
}
