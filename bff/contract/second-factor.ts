import { secondFactorKinds } from '@kilim/domain/people/second-factor';
import * as z from 'zod/mini';

/** The password was right, and one of these factors must follow within five minutes. */
export const secondFactorNeeded = z.object({ factors: z.array(z.enum(secondFactorKinds)) });

export const passkeyAccepted = z.object({ success: z.literal(true) });

const descriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.string()),
});

/** For `navigator.credentials.get`, with binary values in base64url. */
export const passkeyRequestOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  /** Milliseconds. */
  timeout: z.number(),
  userVerification: z.literal('required'),
});

/** For `navigator.credentials.create`, with binary values in base64url. */
export const passkeyCreationOptions = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.number(), type: z.literal('public-key') })),
  /** Milliseconds. */
  timeout: z.number(),
  excludeCredentials: z.array(descriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
});

/** `GET /api/admin/second-factor` */
export const secondFactors = z.object({
  factors: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(secondFactorKinds),
      name: z.string(),
      createdAt: z.string(),
      usedAt: z.nullable(z.string()),
    }),
  ),
  recoveryCodesLeft: z.number(),
  /** Without a second factor the back office stays closed. */
  required: z.boolean(),
  /** Null if the back office has an IP address, which cannot have passkeys. */
  passkeyOrigin: z.nullable(z.string()),
  offersOneTimeCodes: z.boolean(),
});
export type SecondFactors = z.output<typeof secondFactors>;
export type SecondFactor = SecondFactors['factors'][number];

/** Only with the first factor of an account, and shown only here. */
export const secondFactorAdded = z.object({ recoveryCodes: z.nullable(z.array(z.string())) });

export const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

/** Shown only here. */
export const oneTimeSecret = z.object({
  /** Base32, for typing. */
  secret: z.string(),
  /** For a QR code: `otpauth://totp/...` */
  address: z.string(),
});
export type OneTimeSecret = z.output<typeof oneTimeSecret>;
