import { type Account, accounts } from '@kilim/domain/accounting/chart';
import * as z from 'zod/mini';
import { reopening } from './certificate.ts';

/** One part for each account. */
export function byAccount<Part extends z.ZodMiniType>(part: Part) {
  return z.object(Object.fromEntries(accounts.map((account) => [account, part])) as Record<Account, Part>);
}

const closing = z.object({
  /** Names the closing in other calls. */
  version: z.number(),
  through: z.string(),
  closedAt: z.string(),
  closedBy: z.string(),
  /** The number of the signed checkpoint that covers it; null until there is one. */
  checkpoint: z.nullable(z.number()),
  /** Whether it has its certificate. Background work makes it within seconds. */
  certified: z.boolean(),
  /** Null: it is in force. */
  reopened: z.nullable(reopening),
});

/** `GET /api/admin/books`, and the answer to both changes. */
export const books = z.object({
  version: z.number(),
  timeZone: z.string(),
  today: z.string(),
  /** The last day that can be closed now: yesterday in the shop. */
  lastClosable: z.string(),
  /** The last closed day; null when no closing is in force. */
  closedThrough: z.nullable(z.string()),
  /** The last day of the last full month; null when it is closed. */
  proposed: z.nullable(z.string()),
  /** Whether a closing is signed. Without a key nothing is. */
  signs: z.boolean(),
  /** Newest first, with those that were reopened. */
  closings: z.array(closing),
  /** In the order of the chart. */
  accounts: byAccount(z.object({ name: z.string(), code: z.string() })),
  taxRate: z.string(),
});
export type Books = z.output<typeof books>;
