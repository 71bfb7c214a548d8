import { passkeyAccepted, passkeyCreationOptions, passkeyRequestOptions } from '@kilim/bff/contract/second-factor';
import { ok, type Result, rejected } from '@kilim/domain/result';
import {
  browserSupportsWebAuthn,
  type RegistrationResponseJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser';
import { type ApiFailure, request } from '../../../shared/api-client.ts';
import { call } from '../../../shared/call.ts';
import { adminRequest, messageOf, renewingRequest } from '../api/admin-request.ts';
import { failedWith, failureOf, type Outcome } from '../api/outcome.ts';
import { officeTexts } from '../texts.ts';
import { factorTexts } from './texts.ts';

/** An IP address cannot have passkeys. */
export function canUsePasskeys(): boolean {
  return !/^[\d.]+$|^\[/.test(window.location.hostname) && browserSupportsWebAuthn();
}

/** @returns the message to show when it failed. */
export async function signInWithPasskey(): Promise<Result<undefined, string>> {
  const answer = await assertPasskey('login', request);
  return answer.ok ? ok(undefined) : rejected(answer.rejection.message);
}

/** Proves that the session's person is still there. */
export async function confirmWithPasskey(): Promise<Result<undefined, PasskeyFailure>> {
  return await assertPasskey('reauthenticate', renewingRequest);
}

export type PasskeyFailure = { readonly message: string; readonly failure?: ApiFailure };

async function assertPasskey(
  purpose: 'login' | 'reauthenticate',
  send: typeof request,
): Promise<Result<undefined, PasskeyFailure>> {
  const options = await send(call(`POST /api/admin/${purpose}/passkey/options`, { answer: passkeyRequestOptions }));
  if (!options.ok) return refused(options.rejection);
  const assertion = await asked(() => startAuthentication({ optionsJSON: options.value.body }));
  if (!assertion.ok) return rejected({ message: assertion.rejection });
  const answer = await send(
    call(`POST /api/admin/${purpose}/passkey`, {
      body: { ...assertion.value, clientExtensionResults: {} },
      answer: passkeyAccepted,
    }),
  );
  return answer.ok ? ok(undefined) : refused(answer.rejection);
}

function refused(failure: ApiFailure): Result<undefined, PasskeyFailure> {
  return rejected({ failure, message: messageOf(failure, officeTexts.failed) });
}

export async function createPasskey(): Promise<Outcome<RegistrationResponseJSON>> {
  const options = await adminRequest(
    call('POST /api/admin/second-factor/passkeys/options', { answer: passkeyCreationOptions }),
  );
  if (!options.ok) return failureOf(options.rejection);
  const made = await asked(() => startRegistration({ optionsJSON: options.value.body }));
  return made.ok ? { kind: 'done', value: made.value } : failedWith(made.rejection);
}

/** Browsers throw when their user cancels or has no passkey. */
async function asked<Answer>(ask: () => Promise<Answer>): Promise<Result<Answer, string>> {
  try {
    return ok(await ask());
  } catch (error) {
    const isKnown = error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED';
    return rejected(isKnown ? factorTexts.alreadyHere : factorTexts.canceled);
  }
}
