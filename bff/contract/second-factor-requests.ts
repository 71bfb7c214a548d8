import * as z from 'zod/mini';
import { name as nameOf } from './text.ts';

const longestEncoded = 100_000;
const encoded = z.string().check(z.maxLength(longestEncoded), z.regex(/^[A-Za-z0-9_-]*$/));
const credentialId = z.string().check(z.minLength(1), z.maxLength(1364), z.regex(/^[A-Za-z0-9_-]+$/));

const name = nameOf(100, 'Please enter a name');
const code = z.string('Please enter the code').check(z.maxLength(100, 'This code is not correct'));

/** `POST /api/admin/login/code`: a one-time code or a recovery code. */
export const signInCode = z.object({ code });

/** Of `navigator.credentials.get`, with binary values in base64url. */
export const passkeyAssertion = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: encoded,
    authenticatorData: encoded,
    signature: encoded,
    userHandle: z.exactOptional(encoded),
  }),
  clientExtensionResults: z._default(z.object({}), {}),
});

/** Of `navigator.credentials.create`, with binary values in base64url. */
export const newPasskey = z.object({
  name,
  credential: z.object({
    id: credentialId,
    rawId: credentialId,
    type: z.literal('public-key'),
    response: z.object({
      clientDataJSON: encoded,
      attestationObject: encoded,
      transports: z.optional(z.array(z.string().check(z.maxLength(30))).check(z.maxLength(10))),
    }),
    clientExtensionResults: z._default(z.object({}), {}),
  }),
});

export const newOneTimeCode = z.object({ name, code });

export const secondFactorName = z.object({ name });
