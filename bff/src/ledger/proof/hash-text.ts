/**
 * A hash as a text with one character for each of its bytes. That is how `crypto.hash` makes one at a third of what a buffer costs, and proving
 * makes millions of them.
 */
export type HashText = string;

export const hashBytes = 32;

/** Before the first event of a stream. */
export const noHash: HashText = '\0'.repeat(hashBytes);

export function writeHash(hash: HashText, buffer: Buffer, at: number): void {
  buffer.write(hash, at, 'latin1');
}

export function isHashAt(hash: HashText, buffer: Buffer, at: number): boolean {
  for (let index = 0; index < hash.length; index += 1) if (buffer[at + index] !== hash.charCodeAt(index)) return false;
  return true;
}
