import { z } from 'zod';
import type { WitnessPlaces } from '../proof/witness/open-witnesses.ts';
import type { MailPlace } from './mail-variables.ts';

/** The accountant's mailbox is a variable of the mails. */
export const witnessVariables = {
  WITNESS_TIMESTAMP_URL: z.string().refine(isWebAddress, 'must be a web address').optional(),
};

const witnessSchema = z.object(witnessVariables);

/** @param mail sends notes to the accountant, too. */
export function witnessesOf(variables: z.output<typeof witnessSchema>, mail: MailPlace | undefined): WitnessPlaces {
  return { mail: accountantOf(mail), timestampUrl: variables.WITNESS_TIMESTAMP_URL };
}

function accountantOf(mail: MailPlace | undefined): WitnessPlaces['mail'] {
  if (mail?.accountantTo === undefined) return undefined;
  const { smtpUrl, from, accountantTo: to } = mail;
  return { smtpUrl, from, to };
}

function isWebAddress(value: string): boolean {
  return URL.canParse(value) && new URL(value).hostname !== '' && /^https?:$/.test(new URL(value).protocol);
}
