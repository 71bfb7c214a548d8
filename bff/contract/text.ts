import * as z from 'zod/mini';

/**
 * Without control characters other than line breaks and tabs, because PostgreSQL cannot store all of them, and without
 * those that turn the direction of text, because it would show another text than it holds.
 */
export function plainText(text: string): string {
  return text.toWellFormed().replaceAll(/[^\P{Cc}\n\t]|\p{Bidi_Control}/gu, '');
}

/** Text of several lines. */
export function note(longest: number) {
  return z
    .string('Please enter text')
    .check(z.overwrite(plainText), z.maxLength(longest, `At most ${longest} characters`));
}

/** Text of one line that must not be empty. */
export function name(longest: number, missing: string) {
  return z.string(missing).check(
    z.overwrite((text) => plainText(text).replaceAll('\n', ' ').trim()),
    z.minLength(1, missing),
    z.maxLength(longest, `At most ${longest} characters`),
  );
}
