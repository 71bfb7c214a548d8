import * as z from 'zod/mini';
import { signedDollars } from './money.ts';

/** The downloads. The first three can continue after any event; the others are sums, short for any range. */
export const exportFormats = [
  'csv',
  'jsonl',
  'journal-csv',
  'quickbooks-csv',
  'xero-csv',
  'sales-tax-csv',
  'takings-csv',
  'refunds-csv',
] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** `GET /api/admin/ledger/contents`: what the exports of a range contain. */
export const contents = z.object({
  from: z.string(),
  to: z.string(),
  timeZone: z.string(),
  /** All of it is closed: it never changes. */
  closed: z.boolean(),
  orders: z.number(),
  takings: signedDollars,
  refundCount: z.number(),
  refunds: signedDollars,
  fees: signedDollars,
  disputes: signedDollars,
  unidentified: signedDollars,
  net: signedDollars,
  taxableSales: signedDollars,
  taxCollected: signedDollars,
  taxRefunded: signedDollars,
  taxDue: signedDollars,
  /** The sum of all debits of the journal, which is the sum of all its credits. */
  debits: signedDollars,
  /** Events with money that the ledger recorded after their day was closed. */
  lateFacts: z.number(),
  /** Lines of each export, without its header. */
  rows: z.object(
    Object.fromEntries(exportFormats.map((format) => [format, z.number()])) as Record<ExportFormat, z.ZodMiniNumber>,
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
    /** The exports that the token opens; null: all of them. */
    formats: z.nullable(z.array(z.enum(exportFormats))),
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
