import { z } from 'zod';
import type { WitnessPlaces } from '../ledger/witness/open-witnesses.ts';
import type { MailPlace } from './mail-variables.ts';

type Variables = Readonly<Record<string, string | undefined>>;

const text = z.string();
const webAddress = text.refine((value) => hasProtocol(value, ['http:', 'https:']), 'must be a web address');

const mostYears = 30;
const yearDays = 365;
const keepDays = `must be a whole number of days from 1 to ${mostYears * yearDays}`;

/** The variables of the places that keep notes of the ledger, besides the accountant's mailbox. */
export const witnessVariables = {
  WITNESS_TIMESTAMP_URL: webAddress.optional(),
  WITNESS_BUCKET_URL: webAddress
    .refine((value) => URL.canParse(value) && new URL(value).search === '', 'must have no query')
    .transform((value) => value.replace(/\/?$/, '/'))
    .optional(),
  WITNESS_BUCKET_REGION: text.regex(/^[a-z0-9-]{1,40}$/, 'must be a region like us-west-2').optional(),
  WITNESS_BUCKET_KEY_ID: text.optional(),
  WITNESS_BUCKET_SECRET_KEY: text.optional(),
  WITNESS_BUCKET_KEEP_DAYS: text
    .regex(/^\d{1,5}$/, keepDays)
    .transform(Number)
    .refine((days) => days >= 1 && days <= mostYears * yearDays, keepDays)
    .default(10 * yearDays),
  WITNESS_POST_URL: text.refine(isSecure, 'must be an address that begins with https://').optional(),
  WITNESS_POST_TOKEN: text.optional(),
};

const witnessSchema = z.object(witnessVariables);

const bucket = ['WITNESS_BUCKET_URL', 'WITNESS_BUCKET_REGION', 'WITNESS_BUCKET_KEY_ID', 'WITNESS_BUCKET_SECRET_KEY'];

/** Variables that mean nothing without others. */
export function witnessProblems(variables: Variables): readonly string[] {
  const isMissing = (name: string) => variables[name] === undefined;
  const problems = bucket.every(isMissing)
    ? []
    : bucket.filter(isMissing).map((name) => `${name} must be set too: ${bucket.join(', ')} belong together.`);
  if (isMissing('WITNESS_POST_URL') && !isMissing('WITNESS_POST_TOKEN')) {
    problems.push('WITNESS_POST_URL must be set when WITNESS_POST_TOKEN is.');
  }
  return problems;
}

/** @param mail sends notes to the accountant, too. */
export function witnessesOf(variables: z.output<typeof witnessSchema>, mail: MailPlace | undefined): WitnessPlaces {
  const { WITNESS_BUCKET_URL: bucketUrl, WITNESS_BUCKET_REGION: region, WITNESS_BUCKET_KEY_ID: keyId } = variables;
  const { WITNESS_BUCKET_SECRET_KEY: secretKey, WITNESS_BUCKET_KEEP_DAYS: days, WITNESS_POST_URL: url } = variables;
  const hasBucket = bucketUrl !== undefined && region !== undefined && keyId !== undefined && secretKey !== undefined;
  return {
    mail: accountantOf(mail),
    timestampUrl: variables.WITNESS_TIMESTAMP_URL,
    bucket: hasBucket ? { url: bucketUrl, region, keyId, secretKey, keepDays: days } : undefined,
    endpoint: url === undefined ? undefined : { url, token: variables.WITNESS_POST_TOKEN },
  };
}

function accountantOf(mail: MailPlace | undefined): WitnessPlaces['mail'] {
  if (mail?.accountantTo === undefined) return undefined;
  const { smtpUrl, from, accountantTo: to } = mail;
  return { smtpUrl, from, to };
}

/** On this machine an address needs no TLS. */
function isSecure(value: string): boolean {
  if (!hasProtocol(value, ['http:', 'https:'])) return false;
  const { protocol, hostname } = new URL(value);
  return protocol === 'https:' || hostname === '127.0.0.1' || hostname === 'localhost';
}

function hasProtocol(value: string, protocols: readonly string[]): boolean {
  return URL.canParse(value) && new URL(value).hostname !== '' && protocols.includes(new URL(value).protocol);
}
