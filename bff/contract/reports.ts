import * as z from 'zod/mini';
import { signedDollars } from './money.ts';

export const reportNames = [
  'trial-balance',
  'general-ledger',
  'clearing',
  'sales',
  'sales-tax-return',
  'form-1099-k',
  'refunds',
  'customer-deposits',
] as const;
export type ReportName = (typeof reportNames)[number];

/** `decimal` is text with a point, `month` is like `2026-11`. */
export const columnKinds = ['text', 'day', 'month', 'order', 'count', 'decimal', 'amount'] as const;
export type ColumnKind = (typeof columnKinds)[number];

export const figureNames = ['taxable_sales', 'tax_due', 'excess_tax', 'tax_credits'] as const;
export type FigureName = (typeof figureNames)[number];

/** The file has all rows. */
export const mostReportRows = 500;

const row = z.array(z.nullable(z.union([z.string(), z.number()])));

export const report = z.object({
  report: z.enum(reportNames),
  from: z.string(),
  to: z.string(),
  timeZone: z.string(),
  /** A closed range never changes. */
  closed: z.boolean(),
  columns: z.array(z.object({ name: z.string(), kind: z.enum(columnKinds) })),
  rows: z.array(row),
  count: z.number(),
  totals: z.nullable(row),
  figures: z.array(z.object({ name: z.enum(figureNames), amount: signedDollars })),
});
export type Report = z.output<typeof report>;
