import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** A copy of the database does not reveal the secrets of one-time codes. */
export type Seal = {
  /** @param account for another account the result cannot be opened */
  readonly close: (secret: Uint8Array, account: string) => Uint8Array;
  /** @returns undefined for bytes that were closed with another key, or for another account */
  readonly open: (sealed: Uint8Array, account: string) => Uint8Array | undefined;
};

/** @param key any text with at least 256 bits of randomness */
export function sealWith(key: string): Seal {
  const secretKey = createHash('sha256').update(`kilim second factor\n${key}`).digest();
  return {
    close: (secret, account) => {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv(algorithm, secretKey, iv).setAAD(Buffer.from(account));
      return Buffer.concat([iv, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
    },
    open: (sealed, account) => {
      const iv = sealed.subarray(0, ivBytes);
      const decipher = createDecipheriv(algorithm, secretKey, iv, { authTagLength: tagBytes })
        .setAAD(Buffer.from(account))
        .setAuthTag(sealed.subarray(-tagBytes));
      try {
        return Buffer.concat([decipher.update(sealed.subarray(ivBytes, -tagBytes)), decipher.final()]);
      } catch {
        return undefined;
      }
    },
  };
}
