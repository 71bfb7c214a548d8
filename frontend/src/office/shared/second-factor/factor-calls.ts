import {
  type OneTimeSecret,
  oneTimeSecret,
  recoveryCodes,
  secondFactorAdded,
  secondFactors,
} from '@kilim/bff/contract/second-factor';
import { newOneTimeCode, secondFactorName } from '@kilim/bff/contract/second-factor-requests';
import { call } from '../../../shared/call.ts';
import { adminQuery } from '../api/admin-query.ts';
import { renewingRequest } from '../api/admin-request.ts';
import { failedWith, type Outcome, outcomeOf, problemsOf } from '../api/outcome.ts';
import { createPasskey } from './passkeys.ts';

export const factorsQuery = adminQuery(
  ['admin', 'second-factor'],
  call('GET /api/admin/second-factor', { answer: secondFactors }),
);

export type Codes = readonly string[] | null;

/** @returns the recovery codes that come with the first factor. */
export async function addPasskey(name: string): Promise<Outcome<Codes>> {
  // The browser would keep a passkey whose name the server refuses.
  const { name: problem } = problemsOf(secondFactorName, { name });
  if (problem !== undefined) return failedWith(problem, { name: problem });
  const made = await createPasskey();
  if (made.kind !== 'done') return made;
  const body = { name, credential: { ...made.value, clientExtensionResults: {} } };
  return codesOf(
    await outcomeOf(
      call('POST /api/admin/second-factor/passkeys', { body, answer: secondFactorAdded }),
      renewingRequest,
    ),
  );
}

export async function startApp(): Promise<Outcome<OneTimeSecret>> {
  return await outcomeOf(call('POST /api/admin/second-factor/one-time-code/secret', { answer: oneTimeSecret }));
}

export async function addApp(name: string, code: string): Promise<Outcome<Codes>> {
  const body = { name, code };
  const { code: problem } = problemsOf(newOneTimeCode, body);
  if (problem !== undefined) return failedWith(problem, { code: problem });
  const request = call('POST /api/admin/second-factor/one-time-code', { body, answer: secondFactorAdded });
  return codesOf(await outcomeOf(request, renewingRequest));
}

export async function makeRecoveryCodes(): Promise<Outcome<Codes>> {
  return codesOf(await outcomeOf(call('POST /api/admin/second-factor/recovery-codes', { answer: recoveryCodes })));
}

export async function renameFactor(id: string, name: string): Promise<Outcome<unknown>> {
  return await outcomeOf(call('POST /api/admin/second-factor/:id/name', { params: { id }, body: { name } }));
}

export async function removeFactor(id: string): Promise<Outcome<unknown>> {
  return await outcomeOf(call('DELETE /api/admin/second-factor/:id', { params: { id } }));
}

function codesOf(outcome: Outcome<{ readonly recoveryCodes: Codes }>): Outcome<Codes> {
  return outcome.kind === 'done' ? { kind: 'done', value: outcome.value.recoveryCodes } : outcome;
}
