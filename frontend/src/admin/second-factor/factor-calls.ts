import {
  type OneTimeSecret,
  oneTimeSecret,
  recoveryCodes,
  secondFactorAdded,
  secondFactors,
} from '@kilim/bff/contract/second-factor';
import * as z from 'zod/mini';
import { adminQuery } from '../api/admin-query.ts';
import { deletion, renewingRequest } from '../api/admin-request.ts';
import { type Outcome, outcomeOf } from '../api/outcome.ts';
import { createPasskey } from './passkeys.ts';

const path = '/api/admin/second-factor';

export const factorsQuery = adminQuery(['admin', 'second-factor'], { path, schema: secondFactors });

export type Codes = readonly string[] | null;

/** Lets the browser make a passkey, and adds it. @returns the recovery codes that come with the first factor */
export async function addPasskey(name: string): Promise<Outcome<Codes>> {
  const made = await createPasskey();
  if (made.kind !== 'done') return made;
  const body = { name, credential: made.value };
  return codesOf(await outcomeOf({ path: `${path}/passkeys`, schema: secondFactorAdded, body }, renewingRequest));
}

export async function startApp(): Promise<Outcome<OneTimeSecret>> {
  return await outcomeOf({ path: `${path}/one-time-code/secret`, schema: oneTimeSecret, body: {} });
}

export async function addApp(name: string, code: string): Promise<Outcome<Codes>> {
  const call = { path: `${path}/one-time-code`, schema: secondFactorAdded, body: { name, code } };
  return codesOf(await outcomeOf(call, renewingRequest));
}

export async function makeRecoveryCodes(): Promise<Outcome<Codes>> {
  return codesOf(await outcomeOf({ path: `${path}/recovery-codes`, schema: recoveryCodes, body: {} }));
}

export async function renameFactor(id: string, name: string): Promise<Outcome<unknown>> {
  return await outcomeOf({ path: `${path}/${encodeURIComponent(id)}/name`, schema: z.unknown(), body: { name } });
}

export async function removeFactor(id: string): Promise<Outcome<unknown>> {
  return await outcomeOf(deletion(`${path}/${encodeURIComponent(id)}`));
}

function codesOf(outcome: Outcome<{ readonly recoveryCodes: Codes }>): Outcome<Codes> {
  return outcome.kind === 'done' ? { kind: 'done', value: outcome.value.recoveryCodes } : outcome;
}
