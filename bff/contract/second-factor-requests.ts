import * as z from 'zod/mini';
import { name as nameOf } from './text.ts';

const name = nameOf(100, 'Please enter a name');
const missingCode = 'Please enter the code';
const code = z
  .string(missingCode)
  .check(z.trim(), z.minLength(1, missingCode), z.maxLength(100, 'This code is not correct'));

/** `POST /api/admin/login/code`: a one-time code or a recovery code. */
export const signInCode = z.object({ code });

export const newOneTimeCode = z.object({ name, code });

export const secondFactorName = z.object({ name });
