import { type Account, accounts } from '@kilim/domain/accounting/chart';
import * as z from 'zod/mini';
import { reopening } from './certificate.ts';

export function byAccount<Part extends z.ZodMiniType>(part: Part) {
  return z.object(Object.fromEntries(accounts.map((account) => [account, part])) as Record<Account, Part>);
}

const closing = z.object({
  version: z.number(),
  through: z.string(),
  closedAt: z.string(),
  closedBy: z.string(),
  /** Null until a signed checkpoint covers it. */
  checkpoint: z.nullable(z.number()),
  /** Background work makes the certificate within seconds. */
  certified: z.boolean(),
  /** Null: it is in force. */
  reopened: z.nullable(reopening),
});

/** `GET /api/admin/books`, and the answer to both changes. */
export const books = z.object({
  version: z.number(),
  timeZone: z.string(),
  today: z.string(),
  lastClosable: z.string(),
  /** Null when no closing is in force. */
  closedThrough: z.nullable(z.string()),
  /** The last day of the last full month; null when it is closed. */
  proposed: z.nullable(z.string()),
  /** Whether a closing is signed. Without a key nothing is. */
  signs: z.boolean(),
  /** Newest first, with those that were reopened. */
  closings: z.array(closing),
  accounts: byAccount(z.object({ name: z.string(), code: z.string() })),
  taxRate: z.string(),
});
export type Books = z.output<typeof books>;
