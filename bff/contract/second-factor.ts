import { secondFactorKinds } from '@kilim/domain/admin/second-factor';
import * as z from 'zod/mini';

/** 202 of `POST /api/admin/login`: the password was right, and one of these factors must follow within five minutes. */
export const secondFactorNeeded = z.object({ factors: z.array(z.enum(secondFactorKinds)) });

/** `POST /api/admin/login/passkey` and `POST /api/admin/reauthenticate/passkey` */
export const passkeyAccepted = z.object({ success: z.literal(true) });

const descriptor = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.array(z.string()),
});

/** The argument of `navigator.credentials.get`, with binary values in base64url. */
export const passkeyRequestOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  /** Milliseconds. */
  timeout: z.number(),
  userVerification: z.literal('required'),
});

/** The argument of `navigator.credentials.create`, with binary values in base64url. */
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
  /** Oldest first. */
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
  /** Whether the back office stays closed until the account has a second factor. */
  required: z.boolean(),
  /** The origin where passkeys work; null if the back office has an IP address, which cannot have passkeys. */
  passkeyOrigin: z.nullable(z.string()),
  /** Whether the server has a key for the secrets of one-time codes. */
  offersOneTimeCodes: z.boolean(),
});
export type SecondFactors = z.output<typeof secondFactors>;
export type SecondFactor = SecondFactors['factors'][number];

/** The first factor of an account comes with recovery codes. They are shown only here. */
export const secondFactorAdded = z.object({ recoveryCodes: z.nullable(z.array(z.string())) });

/** `POST /api/admin/second-factor/recovery-codes` */
export const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

/** `POST /api/admin/second-factor/one-time-code/secret`. It is shown only here. */
export const oneTimeSecret = z.object({
  /** Base32, for typing. */
  secret: z.string(),
  /** For a QR code: `otpauth://totp/...` */
  address: z.string(),
});
export type OneTimeSecret = z.output<typeof oneTimeSecret>;
