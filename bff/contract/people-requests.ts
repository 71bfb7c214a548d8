import { contactFieldError, contactText } from '@kilim/domain/contact';
import { usernamePattern } from '@kilim/domain/people/password';
import { longestDisplayName, reservedUsernames } from '@kilim/domain/people/people';
import { roles } from '@kilim/domain/people/permissions';
import * as z from 'zod/mini';
import { newPassword } from './session-requests.ts';
import { name, oneLineText } from './text.ts';

const displayName = name(longestDisplayName, 'Please enter a name');
const role = z.enum(roles, 'Please choose owner, clerk or accountant');

const email = z.string().check(
  z.overwrite((text) => contactText('email', text)),
  z.refine((text) => contactFieldError('email', text) === undefined, 'Please enter a valid email address'),
);

export const invitationRequest = z.object({
  username: z.string('Please enter a sign-in name').check(
    z.overwrite((text) => oneLineText(text).toLowerCase()),
    z.regex(usernamePattern, 'Please use letters, digits and . _ @ -, at most 64, and begin with a letter or a digit'),
    z.refine((text) => !reservedUsernames.includes(text), 'This name is reserved. Please choose another one'),
  ),
  displayName,
  role,
  /** For messages about the account. Without one, a sign-in name that is an email address. */
  email: z.optional(email),
});

export const roleRequest = z.object({ role });

/** Null removes the address. */
export const ownEmailRequest = z.object({ email: z.nullable(email) });

export const ownNameRequest = z.object({ displayName });

const token = z.string('The token is missing').check(z.maxLength(100, 'This is no token'));

/** In the body, because addresses are logged and tokens must not be. */
export const passwordLinkRequest = z.object({ token });

/** Without a display name the name stays as it is. */
export const choosePasswordRequest = z.object({ token, password: newPassword, displayName: z.optional(displayName) });
