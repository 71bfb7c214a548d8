import { accountStates, linkPurposes } from '@kilim/domain/admin/people';
import { roles } from '@kilim/domain/admin/permissions';
import * as z from 'zod/mini';

/** `GET /api/admin/people`, by sign-in name. */
export const people = z.array(
  z.object({
    username: z.string(),
    displayName: z.string(),
    role: z.enum(roles),
    state: z.enum(accountStates),
    /** The password was generated or chosen by another person, and is not yet replaced. */
    mustChangePassword: z.boolean(),
    createdAt: z.string(),
    /** The last use of a session that has not ended; null without one. */
    seenAt: z.nullable(z.string()),
    /** The link with which the person can choose a password now. */
    link: z.nullable(z.object({ purpose: z.enum(linkPurposes), expiresAt: z.string() })),
  }),
);
export type Person = z.output<typeof people>[number];

/** `GET /api/admin/account/email`: where messages about the own account go; null: nowhere. */
export const ownEmail = z.object({ email: z.nullable(z.string()) });

/** `GET /api/admin/people/names`: the names to show instead of sign-in names. */
export const personNames = z.array(z.object({ username: z.string(), displayName: z.string() }));

/**
 * `POST /api/admin/people` and `POST /api/admin/people/{username}/link`. Only this answer contains the token. The page
 * `/admin/invitation#<token>` uses it: browsers never send the part after `#` to a server.
 */
export const passwordLink = z.object({ username: z.string(), token: z.string(), purpose: z.enum(linkPurposes) });
export type PasswordLink = z.output<typeof passwordLink>;

/** `POST /api/admin/password-link` */
export const linkedAccount = z.object({
  username: z.string(),
  displayName: z.string(),
  role: z.enum(roles),
  purpose: z.enum(linkPurposes),
  expiresAt: z.string(),
});
export type LinkedAccount = z.output<typeof linkedAccount>;

/** `POST /api/admin/password-link/use` */
export const passwordChosen = z.object({ username: z.string() });
