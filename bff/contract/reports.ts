import * as z from 'zod/mini';

/** The reports, on the screen and as `<name>-csv` among the exports. */
export const reportNames = ['trial-balance', 'general-ledger', 'clearing', 'payouts', 'sales', 'sales-tax'] as const;
export type ReportName = (typeof reportNames)[number];

/** `order` is the id of an order. `decimal` is text with a point. `amount` is in dollars. */
export const columnKinds = ['text', 'day', 'order', 'count', 'decimal', 'amount'] as const;
export type ColumnKind = (typeof columnKinds)[number];

/** The longest table that the screen gets; the file has all rows. */
export const mostReportRows = 500;

const row = z.array(z.nullable(z.union([z.string(), z.number()])));

/** `GET /api/admin/ledger/report` */
export const report = z.object({
  report: z.enum(reportNames),
  from: z.string(),
  to: z.string(),
  timeZone: z.string(),
  /** All of it is closed: it never changes. */
  closed: z.boolean(),
  /** With the names of the file's header. */
  columns: z.array(z.object({ name: z.string(), kind: z.enum(columnKinds) })),
  /** The first rows. */
  rows: z.array(row),
  /** Of all rows. */
  count: z.number(),
  /** Under the columns that have a sum. */
  totals: z.nullable(row),
});
export type Report = z.output<typeof report>;
