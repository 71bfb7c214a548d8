import type { MailKind } from '../../../contract/mails.ts';

const mails = {
  'order-confirmation': 'The confirmation of this order',
  'refund-notice': 'The notice about a refund of this order',
  'new-order': 'The message about this order to the shop',
  'attention-summary': 'The daily summary',
  'closing-certificate': 'The certificate of a closing',
  'owner-notice': 'A message to the shop about money or accounts',
  'account-notice': 'A message to a person about the account',
} satisfies Record<MailKind, string>;

/** Which mail could not be delivered, and why. @param id `<kind>:<about>` @param codes as `failureOf` names them */
export function mailFailureMessage(id: string, codes: string): string {
  const kind = (Object.keys(mails) as MailKind[]).find((known) => id.startsWith(`${known}:`));
  const why = /^5\d\d .*RCPT$/.test(codes)
    ? 'the mail server knows no such address'
    : 'the mail server did not take it for a day';
  return `${kind === undefined ? 'An email' : mails[kind]}: ${why} (${codes}).`;
}
