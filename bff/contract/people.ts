import { accountStates, linkPurposes } from '@kilim/domain/people/people';
import { roles } from '@kilim/domain/people/permissions';
import * as z from 'zod/mini';

export const people = z.array(
  z.object({
    username: z.string(),
    displayName: z.string(),
    role: z.enum(roles),
    state: z.enum(accountStates),
    /** Another person chose or generated the password. */
    mustChangePassword: z.boolean(),
    createdAt: z.string(),
    /** The last use of an open session; null without one. */
    seenAt: z.nullable(z.string()),
    /** The link that is valid now. */
    link: z.nullable(z.object({ purpose: z.enum(linkPurposes), expiresAt: z.string() })),
  }),
);
export type Person = z.output<typeof people>[number];

/** Null: nowhere. */
export const ownEmail = z.object({ email: z.nullable(z.string()) });

export const personNames = z.array(z.object({ username: z.string(), displayName: z.string() }));

/**
 * Only this answer contains the token. The page `/admin/invitation#<token>` uses it: browsers never send the part after
 * `#` to a server.
 */
export const passwordLink = z.object({ username: z.string(), token: z.string(), purpose: z.enum(linkPurposes) });
export type PasswordLink = z.output<typeof passwordLink>;

export const linkedAccount = z.object({
  username: z.string(),
  displayName: z.string(),
  role: z.enum(roles),
  purpose: z.enum(linkPurposes),
  expiresAt: z.string(),
});
export type LinkedAccount = z.output<typeof linkedAccount>;

export const passwordChosen = z.object({ username: z.string() });
