import * as z from 'zod/mini';

type MailRules = {
  /** `person`: the owner of the account. */
  readonly to: 'customer' | 'shop' | 'operator' | 'accountant' | 'person';
  readonly name: string;
  readonly lost: string;
  /** Whether it tells of money or accounts. Only owners give one up: it may be about the person who asks. */
  readonly isNotice?: true;
};

const kinds = {
  'order-confirmation': { to: 'customer', name: 'Order confirmation', lost: 'The confirmation of this order' },
  'payment-not-made': {
    to: 'customer',
    name: 'Payment not made',
    lost: 'The message that this order was not paid',
  },
  'refund-notice': { to: 'customer', name: 'Refund notice', lost: 'The notice about a refund of this order' },
  'rugs-received': { to: 'customer', name: 'Rugs received', lost: 'The message that the rugs of this order are here' },
  'difference-request': {
    to: 'customer',
    name: 'Difference, please pay',
    lost: 'The message that asks for the difference of this order',
  },
  'rugs-ready': { to: 'customer', name: 'Rugs ready', lost: 'The message that the rugs of this order are ready' },
  'new-order': { to: 'shop', name: 'New order, to the shop', lost: 'The message about this order to the shop' },
  'attention-summary': { to: 'shop', name: 'Daily summary, to the shop', lost: 'The daily summary' },
  'health-notice': {
    to: 'operator',
    name: 'Message about a fault, to the operator',
    lost: 'A message about a fault of the server',
  },
  'closing-certificate': {
    to: 'accountant',
    name: 'Certificate, to the accountant',
    lost: 'The certificate of a closing',
  },
  'month-files': {
    to: 'accountant',
    name: 'Files of a month, to the accountant',
    lost: 'The files of a month to the accountant',
  },
  'test-mail': { to: 'shop', name: 'Mail to try, to the shop', lost: 'A mail to try to the shop' },
  'owner-notice': {
    to: 'shop',
    name: 'Message about money or accounts, to the shop',
    lost: 'A message to the shop about money or accounts',
    isNotice: true,
  },
  'account-notice': {
    to: 'person',
    name: 'Message about the account, to a person',
    lost: 'A message to a person about the account',
    isNotice: true,
  },
} as const satisfies Record<string, MailRules>;
export type MailKind = keyof typeof kinds;
export const mailRules: Readonly<Record<MailKind, MailRules>> = kinds;
export const mailKinds = Object.keys(kinds) as [MailKind, ...MailKind[]];

export const mailRequest = z.object({
  kind: z.enum(mailKinds),
  about: z.string().check(z.minLength(1), z.maxLength(100)),
});

export const orderMails = z.array(
  z.object({
    kind: z.enum(mailKinds),
    /** An order, a refund, a day, a closing, an event or an entry: it has one mail of each kind. */
    about: z.string(),
    /** `undelivered`: it waits for a person. `dropped`: it is not sent. */
    state: z.enum(['waiting', 'sent', 'undelivered', 'dropped']),
    /** ISO 8601 instant of the sending, or since when it waits. */
    at: z.string(),
    /** Codes of the last failure, such as `550 5.1.1 RCPT`. */
    failure: z.nullable(z.string()),
  }),
);
export type OrderMail = z.output<typeof orderMails>[number];
