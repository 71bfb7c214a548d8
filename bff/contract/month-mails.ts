import * as z from 'zod/mini';

export const programs = ['quickbooks', 'xero'] as const;
export type Program = (typeof programs)[number];

/** `2026-10` */
const month = z
  .string('Please give a month')
  .check(z.regex(/^\d{4}-(?:0[1-9]|1[0-2])$/, 'Please give a month like 2026-10'));

export const monthMailRequest = z.object({
  month,
  program: z.enum(programs, `Please give ${programs.join(' or ')}`),
});

/** The files of a month, to the accountant. */
export const monthMails = z.object({
  /** Null: mails have no accountant. */
  to: z.nullable(z.string()),
  /** Newest first, at most twelve. */
  mails: z.array(
    z.object({
      month: z.string(),
      program: z.enum(programs),
      state: z.enum(['waiting', 'sent', 'undelivered', 'dropped']),
      /** ISO 8601 instant of the sending, or since when it waits. */
      at: z.string(),
    }),
  ),
});
export type MonthMails = z.output<typeof monthMails>;
