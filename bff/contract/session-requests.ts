import * as z from 'zod/mini';
import { oneLineText } from './text.ts';

const longestAsked = 1000;
// A missing credential is a wrong one (specification, section 2.5).
const credential = z._default(z.string().check(z.maxLength(longestAsked)), '');

export const signInRequest = z.object({
  username: z._default(z.string().check(z.maxLength(longestAsked), z.overwrite(oneLineText)), ''),
  password: credential,
});

export const reauthenticationRequest = z.object({
  password: credential,
  /** An account with a second factor needs a code after ten minutes. */
  code: credential,
});

/** The strength is judged later: 422 with advice. */
export const newPassword = z
  .string('The new password is missing')
  .check(z.maxLength(longestAsked, 'Password must be at most 128 characters long'));

export const passwordChangeRequest = z.object({
  username: z.string('The username is missing').check(z.maxLength(longestAsked, 'This is too long')),
  password: newPassword,
});

/** Nothing is changed or kept. */
export const passwordStrengthRequest = z.object({ password: newPassword });
