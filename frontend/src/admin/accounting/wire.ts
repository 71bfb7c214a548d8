import * as z from 'zod/mini';

/** The shapes of `bff/src/http/office/accounting-wire.ts`, checked when they arrive. */

const dollars = z
  .number()
  .check(z.refine((amount) => /^\d+(\.\d{1,2})?$/.test(String(Math.abs(amount))), 'Not dollars'));

/** In the order in which they are offered. */
export const exportFormats = [
  'journal-csv',
  'quickbooks-csv',
  'xero-csv',
  'sales-tax-csv',
  'takings-csv',
  'refunds-csv',
  'csv',
  'jsonl',
] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const contentsSchema = z.object({
  closed: z.boolean(),
  orders: z.number(),
  takings: dollars,
  refundCount: z.number(),
  refunds: dollars,
  fees: dollars,
  disputes: dollars,
  unidentified: dollars,
  net: dollars,
  taxDue: dollars,
  debits: dollars,
  lateFacts: z.number(),
  rows: z.object(
    Object.fromEntries(exportFormats.map((format) => [format, z.number()])) as Record<ExportFormat, z.ZodMiniNumber>,
  ),
});
export type Contents = z.infer<typeof contentsSchema>;

/** Names by account, in the order of the chart. Which accounts there are is the server's to say. */
export type Accounts = Readonly<Record<string, { readonly name: string; readonly code: string }>>;
const accountSchema = z.object({ name: z.string(), code: z.string() });
const accountsSchema = z.custom<Accounts>(
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((account) => accountSchema.safeParse(account).success),
);

export const booksSchema = z.object({
  version: z.number(),
  lastClosable: z.string(),
  signs: z.boolean(),
  closings: z.array(
    z.object({
      through: z.string(),
      closedAt: z.string(),
      closedBy: z.string(),
      checkpoint: z.nullable(z.number()),
    }),
  ),
  accounts: accountsSchema,
  taxRate: z.string(),
});
export type Books = z.infer<typeof booksSchema>;

export const tokensSchema = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    createdBy: z.string(),
    createdAt: z.string(),
    usedAt: z.nullable(z.string()),
    revokedAt: z.nullable(z.string()),
  }),
);
export type ExportToken = z.infer<typeof tokensSchema>[number];

export const newTokenSchema = z.object({ id: z.string(), token: z.string() });
