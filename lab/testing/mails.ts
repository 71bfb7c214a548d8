import { mailPartsOf } from '../../bff/src/core/background/background-work.ts';
import { type MailWorld, mailRounds } from '../../bff/src/core/background/send-mails.ts';
import { openSmtp } from '../../bff/src/core/runtime/smtp.ts';
import { type Mailbox, startMailbox } from '../mailbox/start-mailbox.ts';
import type { Shop } from './shop.ts';

export const mailFrom = 'orders@shop.example';
export const mailRecipients = {
  shop: 'owner@shop.example',
  operator: 'operator@shop.example',
  accountant: 'ada@accountant.example',
};

/** With what a server needs to send mails to it. */
export type MailDesk = {
  readonly mailbox: Mailbox;
  readonly world: MailWorld;
  readonly sendAll: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export async function openMailDesk(shop: Shop, options: Partial<MailWorld> = {}): Promise<MailDesk> {
  const mailbox = await startMailbox({ host: '127.0.0.1', port: 0 });
  const world: MailWorld = {
    ...shop.world,
    recipients: mailRecipients,
    settings: () => shop.settings.latest().settings,
    ...mailPartsOf(shop.rooms),
    urls: { shop: 'https://shop.example', office: 'https://office.example' },
    // Short, because tests wait for a server that hangs.
    smtp: openSmtp({ smtpUrl: mailbox.smtpUrl, from: mailFrom }, 300),
    from: mailFrom,
    timeZone: 'America/Los_Angeles',
    ...options,
  };
  const round = mailRounds(world);
  return {
    mailbox,
    world,
    sendAll: async () => {
      while (((await round(() => undefined)) ?? 0) > 0);
    },
    close: mailbox.close,
  };
}
