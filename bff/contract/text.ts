import * as z from 'zod/mini';

/**
 * PostgreSQL cannot store all control characters, and characters that turn the direction of text show another text than
 * it holds.
 */
export function plainText(text: string): string {
  return text.toWellFormed().replaceAll(/[^\P{Cc}\n\t]|\p{Bidi_Control}/gu, '');
}

export function note(longest: number) {
  return z
    .string('Please enter text')
    .check(z.overwrite(plainText), z.maxLength(longest, `At most ${longest} characters`));
}

export function name(longest: number, missing: string) {
  return z.string(missing).check(
    z.overwrite((text) => plainText(text).replaceAll('\n', ' ').trim()),
    z.minLength(1, missing),
    z.maxLength(longest, `At most ${longest} characters`),
  );
}
