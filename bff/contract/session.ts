import { roles } from '@kilim/domain/people/permissions';
import { secondFactorKinds } from '@kilim/domain/people/second-factor';
import * as z from 'zod/mini';
import { problem } from './problem.ts';

/** The token proves for ten minutes that the password was right. */
export const signedIn = z.object({ token: z.string() });

export const session = z.object({
  username: z.string(),
  /** The password or the second factor was given within the last ten minutes. */
  isRecent: z.boolean(),
  displayName: z.string(),
  role: z.enum(roles),
  /** Until the password is replaced, no other call works. */
  mustChangePassword: z.boolean(),
  /** Empty: the password suffices. */
  secondFactors: z.array(z.enum(secondFactorKinds)),
  /** Until a second factor is added, no other call works. */
  mustAddSecondFactor: z.boolean(),
});
export type Session = z.output<typeof session>;

/** Inside the office's page, so that no request delays it. The version: see `changes`. */
export const officeStart = z.object({ session, version: z.string() });
export type OfficeStart = z.output<typeof officeStart>;

/** Last seen first. */
export const sessions = z.array(
  z.object({
    id: z.string(),
    createdAt: z.string(),
    seenAt: z.string(),
    address: z.string(),
    userAgent: z.string(),
    current: z.boolean(),
  }),
);
export type ListedSession = z.output<typeof sessions>[number];

export const passwordChanged = z.object({ success: z.literal(true), endedSessions: z.number() });

export const weakPassword = z.object({
  ...problem.shape,
  suggestions: z.array(z.string()),
});

export const passwordStrength = z.object({
  score: z.number(),
  /** Why the server would refuse it; null when it would not. */
  message: z.nullable(z.string()),
  suggestions: z.array(z.string()),
});
export type PasswordStrength = z.output<typeof passwordStrength>;
