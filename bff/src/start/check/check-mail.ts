import type { Diagnosis } from '../../core/runtime/diagnosis.ts';
import { failureOf, openSmtp } from '../../core/runtime/smtp.ts';
import type { Environment } from '../env.ts';

export async function checkMail({ mail, production }: Environment): Promise<readonly Diagnosis[]> {
  if (mail === undefined) return production ? [noMailServer] : [];
  try {
    await openSmtp(mail).check();
    return [];
  } catch (error) {
    const { codes } = failureOf(error);
    return [
      {
        level: 'warning',
        variable: 'SMTP_URL',
        problem: `the mail server cannot be used (${codes}), so mails wait.`,
        remedy:
          'Check host, port, user and password with the mail provider. Mails are sent when the server takes them.',
      },
    ];
  }
}

const noMailServer: Diagnosis = {
  level: 'warning',
  problem:
    'No mail server is configured, so customers get no confirmation, and the shop gets no mail about a new order.',
  remedy: 'Set SMTP_URL, MAIL_FROM and MAIL_SHOP_TO: see docs/operations.md.',
};

export function ruleOfMail({ mail, ownMailbox }: Environment): string {
  if (mail !== undefined) return `Mails are sent by ${new URL(mail.smtpUrl).hostname}`;
  return ownMailbox === undefined ? 'No mails are sent' : 'Mails go to the local mailbox, and are not delivered';
}
