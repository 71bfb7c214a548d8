import { checkPoints, reopenReasons } from '@kilim/domain/accounting/closings';
import * as z from 'zod/mini';
import { signedDollars } from './money.ts';

export const reopening = z.object({ at: z.string(), by: z.string(), reason: z.enum(reopenReasons) });

/** What to know before closing all days through one. */
export const checklist = z.object({
  through: z.string(),
  checks: z.array(
    z.object({
      point: z.enum(checkPoints),
      /** `unknown`: this server cannot tell. */
      state: z.enum(['done', 'open', 'unknown']),
      count: z.number(),
      sentence: z.string(),
    }),
  ),
});
export type Checklist = z.output<typeof checklist>;

/** All but `state`, `reopened` and `checkpoint` stays the same for ever. */
export const certificate = z.object({
  kind: z.literal('kilim-closing-certificate'),
  closing: z.number(),
  from: z.string(),
  through: z.string(),
  timeZone: z.string(),
  closedAt: z.string(),
  closedBy: z.string(),
  certifiedAt: z.string(),
  exportEdition: z.number(),
  events: z.number(),
  /** Events that moved money. */
  bookings: z.number(),
  /** Of these, the ones that an earlier closing made late. */
  lateBookings: z.number(),
  debits: signedDollars,
  credits: signedDollars,
  balances: z.array(
    z.object({ account: z.string(), name: z.string(), code: z.string(), debit: signedDollars, credit: signedDollars }),
  ),
  files: z.array(z.object({ format: z.string(), fileName: z.string(), bytes: z.number(), sha256: z.string() })),
  openPoints: z.array(z.object({ point: z.enum(checkPoints), count: z.number() })),
  lateFacts: z.string(),
  state: z.enum(['in-force', 'superseded']),
  reopened: z.nullable(reopening),
  /** The first one that covers the period; null until there is one. */
  checkpoint: z.nullable(z.object({ sequence: z.number(), note: z.string() })),
});
export type Certificate = z.output<typeof certificate>;
export type CertificateAnswer = z.input<typeof certificate>;
