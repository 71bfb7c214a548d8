import { oneLine, visibleText } from '@kilim/domain/text';
import * as z from 'zod/mini';

/** Several lines, as a person sees them. PostgreSQL stores no lone surrogates. */
export function plainText(text: string): string {
  return visibleText(text.toWellFormed());
}

export function oneLineText(text: string): string {
  return oneLine(text.toWellFormed());
}

export function line(longest: number, least = 0, missing = 'Please fill in this field') {
  return z
    .string(missing)
    .check(
      z.overwrite(oneLineText),
      z.minLength(least, missing),
      z.maxLength(longest, `At most ${longest} characters`),
    );
}

export function note(longest: number) {
  return z
    .string('Please enter text')
    .check(z.overwrite(plainText), z.maxLength(longest, `At most ${longest} characters`));
}

export function name(longest: number, missing: string) {
  return line(longest, 1, missing);
}
