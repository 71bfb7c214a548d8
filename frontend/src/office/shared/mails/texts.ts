import type { OrderMail } from '@kilim/bff/contract/mails';

export const mailTexts = {
  title: 'Emails',
  states: {
    waiting: 'Being sent',
    sent: 'Sent',
    undelivered: 'Not delivered',
    dropped: 'Not sent',
  } satisfies Record<OrderMail['state'], string> as Record<OrderMail['state'], string>,
  /** The mail provider may need the codes. */
  failure: (codes: string) =>
    codes === 'RESTORED' ? 'Perhaps sent before the database was restored.' : `The mail server said ${codes}.`,
  send: 'Send again',
  sendOf: (mail: string) => `Send again: ${mail}`,
  drop: 'Not needed',
  sent: { title: 'The email is sent again', description: 'The order shows what became of it.' },
  dropped: { title: 'The email is given up', description: 'It will not be sent.' },
  failed: 'The email could not be changed',
} as const;
