import { usernamePattern } from '@kilim/domain/admin/password';
import { accountStates, linkPurposes, longestDisplayName, reservedUsernames } from '@kilim/domain/admin/people';
import { roles } from '@kilim/domain/admin/permissions';
import * as z from 'zod/mini';
import { newPassword } from './session-requests.ts';
import { name } from './text.ts';

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

/** `GET /api/admin/people/names`: the names to show instead of sign-in names. */
export const personNames = z.array(z.object({ username: z.string(), displayName: z.string() }));

/**
 * `POST /api/admin/people` and `POST /api/admin/people/{username}/link`. Only this answer contains the token. The page
 * `/admin/invitation#<token>` uses it: browsers never send the part after `#` to a server.
 */
export const passwordLink = z.object({ username: z.string(), token: z.string(), purpose: z.enum(linkPurposes) });
export type PasswordLink = z.output<typeof passwordLink>;

const displayName = name(longestDisplayName, 'Please enter a name');
const role = z.enum(roles, 'Please choose owner, clerk or accountant');

/** `POST /api/admin/people` */
export const invitationRequest = z.object({
  username: z.string('Please enter a sign-in name').check(
    z.overwrite((text) => text.trim().toLowerCase()),
    z.regex(usernamePattern, 'Please use letters, digits and . _ @ -, at most 64, and begin with a letter or a digit'),
    z.refine((text) => !reservedUsernames.includes(text), 'This name is reserved. Please choose another one'),
  ),
  displayName,
  role,
});

/** `POST /api/admin/people/{username}/role` */
export const roleRequest = z.object({ role });

/** `POST /api/admin/account/name` */
export const ownNameRequest = z.object({ displayName });

const token = z.string('The token is missing').check(z.maxLength(100, 'This is no token'));

/** `POST /api/admin/password-link`: a call with a body, because addresses are logged and tokens must not be. */
export const passwordLinkRequest = z.object({ token });

/** `POST /api/admin/password-link` */
export const linkedAccount = z.object({
  username: z.string(),
  displayName: z.string(),
  role: z.enum(roles),
  purpose: z.enum(linkPurposes),
  expiresAt: z.string(),
});
export type LinkedAccount = z.output<typeof linkedAccount>;

/** `POST /api/admin/password-link/use`. Without a display name the name stays as it is. */
export const choosePasswordRequest = z.object({ token, password: newPassword, displayName: z.optional(displayName) });

/** `POST /api/admin/password-link/use` */
export const passwordChosen = z.object({ username: z.string() });
