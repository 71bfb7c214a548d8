import * as z from 'zod/mini';

export const mailKinds = [
  'order-confirmation',
  'refund-notice',
  'new-order',
  'attention-summary',
  'closing-certificate',
  'owner-notice',
  'account-notice',
] as const;
export type MailKind = (typeof mailKinds)[number];

/** Whether the mail tells of money or accounts. Only owners give one up: it may be about the person who asks. */
export function isNotice(kind: MailKind): boolean {
  return kind === 'owner-notice' || kind === 'account-notice';
}

/** `POST /api/admin/mails/send` and `POST /api/admin/mails/drop` */
export const mailRequest = z.object({
  kind: z.enum(mailKinds),
  about: z.string().check(z.minLength(1), z.maxLength(100)),
});

/** The mails of an order, oldest first. */
export const orderMails = z.array(
  z.object({
    kind: z.enum(mailKinds),
    /** What the mail is about: an order, a refund, a day, a closing, an event or an entry. It has one mail of each kind. */
    about: z.string(),
    /** `waiting`: it is being sent, perhaps again. `undelivered`: it waits for a person. `dropped`: it is not sent. */
    state: z.enum(['waiting', 'sent', 'undelivered', 'dropped']),
    /** ISO 8601 instant of the sending, or since when it waits. */
    at: z.string(),
    /** Codes of the last failure, such as `550 5.1.1 RCPT`. */
    failure: z.nullable(z.string()),
  }),
);
export type OrderMail = z.output<typeof orderMails>[number];
