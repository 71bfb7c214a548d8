import { z } from 'zod';
import type { SmtpPlace } from '../core/runtime/smtp.ts';

type Variables = Readonly<Record<string, string | undefined>>;

export type MailPlace = SmtpPlace & {
  readonly shopTo: string | undefined;
  readonly operatorTo: string | undefined;
  readonly accountantTo: string | undefined;
};

const text = z.string();
const mailAddress = text.regex(/^[\w.+-]{1,64}@[\w.-]{1,255}$/, 'must be an email address');

export const mailVariables = {
  SMTP_URL: text
    .refine(isSmtpAddress, 'must look like smtps://user:password@host or smtp://user:password@host:587')
    .optional(),
  MAIL_FROM: mailAddress.optional(),
  MAIL_SHOP_TO: mailAddress.optional(),
  MAIL_OPERATOR_TO: mailAddress.optional(),
  MAIL_ACCOUNTANT_TO: mailAddress.optional(),
};

const mailSchema = z.object(mailVariables);

export function mailProblems(variables: Variables): readonly string[] {
  const needed = ['SMTP_URL', 'MAIL_FROM'];
  if (Object.keys(mailVariables).every((name) => variables[name] === undefined)) return [];
  return needed
    .filter((name) => variables[name] === undefined)
    .map((name) => `${name} must be set too: no mail can be sent without ${needed.join(' and ')}.`);
}

/** @returns undefined when no mails are sent. */
export function mailPlaceOf(variables: z.output<typeof mailSchema>): MailPlace | undefined {
  const { SMTP_URL: smtpUrl, MAIL_FROM: from, MAIL_SHOP_TO: shopTo, MAIL_ACCOUNTANT_TO: accountantTo } = variables;
  if (smtpUrl === undefined || from === undefined) return undefined;
  return { smtpUrl, from, shopTo, operatorTo: variables.MAIL_OPERATOR_TO ?? shopTo, accountantTo };
}

/** A mail server has no path. */
function isSmtpAddress(value: string): boolean {
  const address = URL.canParse(value) ? new URL(value) : undefined;
  if (address === undefined || address.hostname === '') return false;
  return ['smtp:', 'smtps:'].includes(address.protocol) && ['', '/'].includes(address.pathname);
}
