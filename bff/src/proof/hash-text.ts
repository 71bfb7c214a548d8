/**
 * A hash with one character for each byte. `crypto.hash` makes such a string at a third of the cost
 * of a buffer, and verification makes millions.
 */
export type HashText = string;

export const hashBytes = 32;

/** The previous hash of the first event of a stream. */
export const noHash: HashText = '\0'.repeat(hashBytes);

export function writeHash(hash: HashText, buffer: Buffer, at: number): void {
  buffer.write(hash, at, 'latin1');
}
