import * as z from 'zod/mini';
import type { OfficeCalls } from './call.ts';
import {
  oneTimeSecret,
  passkeyAccepted,
  passkeyCreationOptions,
  passkeyRequestOptions,
  recoveryCodes,
  secondFactorAdded,
  secondFactors,
} from './second-factor.ts';
import { newOneTimeCode, secondFactorName, signInCode } from './second-factor-requests.ts';
import { signedIn } from './session.ts';

const nothing = z.object({});

const longestEncoded = 100_000;
const encoded = z.string().check(z.maxLength(longestEncoded), z.regex(/^[A-Za-z0-9_-]*$/));
const credentialId = z.string().check(z.minLength(1), z.maxLength(1364), z.regex(/^[A-Za-z0-9_-]+$/));
const credential = {
  ...{ id: credentialId, rawId: credentialId },
  type: z.literal('public-key'),
  clientExtensionResults: z._default(z.object({}), {}),
};

/** Of `navigator.credentials.get`, with binary values in base64url. */
const passkeyAssertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: encoded,
    authenticatorData: encoded,
    signature: encoded,
    userHandle: z.exactOptional(encoded),
  }),
});

/** Of `navigator.credentials.create`, with binary values in base64url. */
const newPasskey = z.object({
  ...secondFactorName.shape,
  credential: z.object({
    ...credential,
    response: z.object({
      clientDataJSON: encoded,
      attestationObject: encoded,
      transports: z.optional(z.array(z.string().check(z.maxLength(30))).check(z.maxLength(10))),
    }),
  }),
});

export const secondFactorCalls = {
  'POST /api/admin/login/code': {
    summary: 'Finish signing in with a one-time code or a recovery code',
    access: 'anyone',
    body: signInCode,
    answers: { 200: signedIn },
    problems: [401, 422],
  },
  'POST /api/admin/login/passkey/options': {
    summary: 'Begin signing in with a passkey',
    access: 'anyone',
    body: nothing,
    answers: { 200: passkeyRequestOptions },
    problems: [409],
  },
  'POST /api/admin/login/passkey': {
    summary: 'Sign in with a passkey, with or without a password before',
    access: 'anyone',
    body: passkeyAssertion,
    answers: { 200: passkeyAccepted },
    problems: [401, 409, 422],
  },
  'POST /api/admin/reauthenticate/passkey/options': {
    summary: 'Begin proving with a passkey that the person is still there',
    permission: 'useOwnAccount',
    body: nothing,
    answers: { 200: passkeyRequestOptions },
    problems: [409],
  },
  'POST /api/admin/reauthenticate/passkey': {
    summary: 'Prove with a passkey that the person is still there',
    permission: 'useOwnAccount',
    body: passkeyAssertion,
    answers: { 200: passkeyAccepted },
    problems: [403, 409, 422],
  },
  'GET /api/admin/second-factor': {
    summary: "List the account's second factors",
    permission: 'useOwnAccount',
    answers: { 200: secondFactors },
  },
  'POST /api/admin/second-factor/passkeys/options': {
    summary: 'Begin adding a passkey',
    permission: 'changeOwnSecondFactor',
    body: nothing,
    answers: { 200: passkeyCreationOptions },
    problems: [409],
  },
  'POST /api/admin/second-factor/passkeys': {
    summary: 'Add a passkey',
    permission: 'changeOwnSecondFactor',
    body: newPasskey,
    answers: { 200: secondFactorAdded },
    problems: [409, 422],
  },
  'POST /api/admin/second-factor/one-time-code/secret': {
    summary: 'Begin adding an authenticator app: return a new secret',
    permission: 'changeOwnSecondFactor',
    body: nothing,
    answers: { 200: oneTimeSecret },
    problems: [409],
  },
  'POST /api/admin/second-factor/one-time-code': {
    summary: 'Add the authenticator app that shows this code',
    permission: 'changeOwnSecondFactor',
    body: newOneTimeCode,
    answers: { 200: secondFactorAdded },
    problems: [409, 422],
  },
  'POST /api/admin/second-factor/recovery-codes': {
    summary: 'Replace the recovery codes',
    permission: 'changeOwnSecondFactor',
    body: nothing,
    answers: { 200: recoveryCodes },
    problems: [409],
  },
  'POST /api/admin/second-factor/:id/name': {
    summary: 'Rename a second factor',
    permission: 'useOwnAccount',
    body: secondFactorName,
    answers: { 204: null },
    problems: [404, 422],
  },
  'DELETE /api/admin/second-factor/:id': {
    summary: 'Remove a second factor',
    permission: 'changeOwnSecondFactor',
    answers: { 204: null },
    problems: [404],
  },
  'POST /api/admin/people/:username/reset-second-factor': {
    summary: 'Remove all second factors of a person who lost them',
    permission: 'managePeople',
    body: nothing,
    answers: { 204: null },
    problems: [404],
  },
} as const satisfies OfficeCalls;
