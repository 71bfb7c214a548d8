import { roles } from '@kilim/domain/admin/permissions';
import { secondFactorKinds } from '@kilim/domain/admin/second-factor';
import * as z from 'zod/mini';
import { problem } from './problem.ts';

/** `POST /api/admin/login` and `POST /api/admin/reauthenticate`. The token proves for ten minutes that the password was right. */
export const signedIn = z.object({ token: z.string() });

/** `GET /api/admin/session` */
export const session = z.object({
  username: z.string(),
  /** Whether the password, or the second factor, was given within the last ten minutes, as refunds and settings require. */
  isRecent: z.boolean(),
  displayName: z.string(),
  role: z.enum(roles),
  /** The password was generated or chosen by another person. Until it is replaced, no other call works. */
  mustChangePassword: z.boolean(),
  /** The kinds of second factors that the account has. Empty: the password suffices. */
  secondFactors: z.array(z.enum(secondFactorKinds)),
  /** A second factor is required and missing. Until it is added, no other call works. */
  mustAddSecondFactor: z.boolean(),
});
export type Session = z.output<typeof session>;

/** `GET /api/admin/sessions`, last seen first. */
export const sessions = z.array(
  z.object({
    id: z.string(),
    createdAt: z.string(),
    seenAt: z.string(),
    address: z.string(),
    userAgent: z.string(),
    /** The session of this request. */
    current: z.boolean(),
  }),
);
export type ListedSession = z.output<typeof sessions>[number];

/** `POST /api/admin/set-password` */
export const passwordChanged = z.object({ success: z.literal(true), endedSessions: z.number() });

/** 422 of `POST /api/admin/set-password`. */
export const weakPassword = z.object({
  ...problem.shape,
  /** How to make it stronger, one sentence each. */
  suggestions: z.array(z.string()),
});

/** `POST /api/admin/password-strength` */
export const passwordStrength = z.object({
  /** From 0, guessed immediately, to 4. */
  score: z.number(),
  /** Why the server would refuse it; null when it would not. */
  message: z.nullable(z.string()),
  suggestions: z.array(z.string()),
});
export type PasswordStrength = z.output<typeof passwordStrength>;
