import * as z from 'zod/mini';
import { signedDollars } from './money.ts';

/** The first two can continue after any event; the others are sums. */
export const listedFormats = [
  'csv',
  'jsonl',
  'quickbooks-csv',
  'xero-csv',
  'payouts-csv',
  'sales-tax-csv',
  'takings-csv',
] as const;
export const reportFormats = [
  'trial-balance-csv',
  'general-ledger-csv',
  'clearing-csv',
  'sales-csv',
  'sales-tax-return-csv',
  'form-1099-k-csv',
  'customer-deposits-csv',
] as const;
/** Accounts to import once, with the names of the last day. */
export const accountFormats = ['quickbooks-accounts-csv', 'xero-accounts-csv'] as const;
export const exportFormats = [...listedFormats, ...reportFormats, ...accountFormats] as const;
export type ListedFormat = (typeof listedFormats)[number];
export type ExportFormat = (typeof exportFormats)[number];

/** What a program imports at a time: the server gives longer files in parts. */
export const importLimits = {
  'quickbooks-csv': { program: 'QuickBooks', mostLines: 1000 },
  'xero-csv': { program: 'Xero', mostLines: 300 },
} as const satisfies Partial<Record<ListedFormat, { readonly program: string; readonly mostLines: number }>>;
export type ImportFormat = keyof typeof importLimits;

export function isImport<Format extends ExportFormat>(format: Format): format is Format & ImportFormat {
  return format in importLimits;
}

const ranges = z.array(z.object({ from: z.string(), to: z.string() }));

export const contents = z.object({
  from: z.string(),
  to: z.string(),
  timeZone: z.string(),
  /** All of it is closed: it never changes. */
  closed: z.boolean(),
  orders: z.number(),
  takings: signedDollars,
  /** Of differences; not in `net`. */
  paidInShop: signedDollars,
  cardRefundCount: z.number(),
  cardRefunds: signedDollars,
  /** Outside Square, and not in `net`. */
  reimbursementCount: z.number(),
  reimbursements: signedDollars,
  fees: signedDollars,
  disputes: signedDollars,
  unidentified: signedDollars,
  /** Takings and unidentified receipts, less card refunds, fees and disputes. */
  net: signedDollars,
  /** Reserves, other fees and sales outside Kilim. */
  onlyInPayouts: signedDollars,
  writtenOff: signedDollars,
  /** `net`, `onlyInPayouts` and `writtenOff`: the change of the clearing account before payouts. */
  changeAtSquare: signedDollars,
  taxableSales: signedDollars,
  taxCollected: signedDollars,
  taxRefunded: signedDollars,
  taxDue: signedDollars,
  debits: signedDollars,
  /** Events with money that the ledger recorded after their day was closed. */
  lateFacts: z.number(),
  parts: z.object({ 'quickbooks-csv': ranges, 'xero-csv': ranges } satisfies Record<ImportFormat, typeof ranges>),
  /** Without the header. */
  rows: z.object(
    Object.fromEntries(listedFormats.map((format) => [format, z.number()])) as Record<ListedFormat, z.ZodMiniNumber>,
  ),
});
export type Contents = z.output<typeof contents>;
export type ContentsAnswer = z.input<typeof contents>;

/** Why a token opens nothing. `creator`: the creator's account is not active. */
export const tokenEnds = ['revoked', 'creator', 'expired'] as const;
export type TokenEnd = (typeof tokenEnds)[number];

export const tokenDays = { least: 1, usual: 90, most: 365 } as const;

export const exportTokens = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    createdBy: z.string(),
    createdAt: z.string(),
    /** Up to an hour old. */
    usedAt: z.nullable(z.string()),
    revokedAt: z.nullable(z.string()),
    expiresAt: z.string(),
    /** Null: the token opens exports. */
    ended: z.nullable(z.enum(tokenEnds)),
  }),
);
export type ExportToken = z.output<typeof exportTokens>[number];

/** The only answer that contains the token. */
export const newExportToken = z.object({ id: z.string(), token: z.string() });
