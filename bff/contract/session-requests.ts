import * as z from 'zod/mini';

const longestAsked = 1000;
// The form marks no field as required (specification, section 2.5): a missing credential is a wrong one.
const credential = z._default(z.string().check(z.maxLength(longestAsked)), '');

/** `POST /api/admin/login` */
export const signInRequest = z.object({ username: credential, password: credential });

/** `POST /api/admin/reauthenticate` */
export const reauthenticationRequest = z.object({
  password: credential,
  /** A one-time code or a recovery code. An account with a second factor needs it after ten minutes. */
  code: credential,
});

/** Its strength is judged later: 422 with advice. */
export const newPassword = z
  .string('The new password is missing')
  .check(z.maxLength(longestAsked, 'Password must be at most 128 characters long'));

/** `POST /api/admin/set-password` */
export const passwordChangeRequest = z.object({
  username: z.string('The username is missing').check(z.maxLength(longestAsked, 'This is too long')),
  password: newPassword,
});

/** `POST /api/admin/password-strength`: rates a new password. Nothing is changed or kept. */
export const passwordStrengthRequest = z.object({ password: newPassword });
