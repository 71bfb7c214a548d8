import * as z from 'zod/mini';
import { signedDollars } from './money.ts';

/** The downloads that the Accounting tab lists. The first three can continue after any event; the others are sums. */
export const listedFormats = [
  'csv',
  'jsonl',
  'journal-csv',
  'quickbooks-csv',
  'xero-csv',
  'xero-payouts-csv',
  'payout-lines-csv',
  'sales-tax-csv',
  'takings-csv',
  'refunds-csv',
] as const;
/** The reports that only the Reports tab lists. */
export const reportFormats = [
  'trial-balance-csv',
  'general-ledger-csv',
  'clearing-csv',
  'payouts-csv',
  'sales-csv',
] as const;
export const exportFormats = [...listedFormats, ...reportFormats] as const;
export type ListedFormat = (typeof listedFormats)[number];
export type ExportFormat = (typeof exportFormats)[number];

/** Xero imports at most so many lines of manual journals at a time. */
export const mostXeroLines = 300;

/** `GET /api/admin/ledger/contents`: what the exports of a range contain. */
export const contents = z.object({
  from: z.string(),
  to: z.string(),
  timeZone: z.string(),
  /** All of it is closed: it never changes. */
  closed: z.boolean(),
  orders: z.number(),
  takings: signedDollars,
  /** Paid back by Square. Together with the reimbursements they are the refunds. */
  cardRefundCount: z.number(),
  cardRefunds: signedDollars,
  /** Paid by the shop outside Square. They are not in `net`. */
  reimbursementCount: z.number(),
  reimbursements: signedDollars,
  fees: signedDollars,
  disputes: signedDollars,
  unidentified: signedDollars,
  /** Takings without card refunds, fees and disputes, and the unidentified receipts. */
  net: signedDollars,
  /** Reserves, other fees and sales outside Kilim, which only the lines of a payout show. */
  onlyInPayouts: signedDollars,
  /** Open items of the clearing account that people wrote off. */
  writtenOff: signedDollars,
  /** `net`, `onlyInPayouts` and `writtenOff`: the change of the clearing account before payouts to the bank. */
  changeAtSquare: signedDollars,
  taxableSales: signedDollars,
  taxCollected: signedDollars,
  taxRefunded: signedDollars,
  taxDue: signedDollars,
  /** The sum of all debits of the journal, which is the sum of all its credits. */
  debits: signedDollars,
  /** Events with money that the ledger recorded after their day was closed. */
  lateFacts: z.number(),
  /** The ranges of days whose Xero files Xero accepts; one when the whole range is short enough. */
  xeroParts: z.array(z.object({ from: z.string(), to: z.string() })),
  /** Lines of each export, without its header. */
  rows: z.object(
    Object.fromEntries(listedFormats.map((format) => [format, z.number()])) as Record<ListedFormat, z.ZodMiniNumber>,
  ),
});
export type Contents = z.output<typeof contents>;
export type ContentsAnswer = z.input<typeof contents>;

/** Why a token opens nothing: it was revoked, the account of its creator is not active, or it has expired. */
export const tokenEnds = ['revoked', 'creator', 'expired'] as const;
export type TokenEnd = (typeof tokenEnds)[number];

/** How long an export token is valid, in days. */
export const tokenDays = { least: 1, usual: 90, most: 365 } as const;

/** `GET /api/admin/export-tokens` */
export const exportTokens = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    createdBy: z.string(),
    createdAt: z.string(),
    /** The last use, up to an hour before the latest one. */
    usedAt: z.nullable(z.string()),
    revokedAt: z.nullable(z.string()),
    /** From this instant on the token opens nothing. */
    expiresAt: z.string(),
    /** The exports that the token opens. */
    formats: z.array(z.enum(exportFormats)),
    /** The first and the last day that the token opens; null: any day. */
    from: z.nullable(z.string()),
    to: z.nullable(z.string()),
    /** Null: the token opens exports. */
    ended: z.nullable(z.enum(tokenEnds)),
  }),
);
export type ExportToken = z.output<typeof exportTokens>[number];

/** The only answer that contains the token. */
export const newExportToken = z.object({ id: z.string(), token: z.string() });
