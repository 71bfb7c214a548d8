import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits that fit a cookie and a header. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * The stored form of a token, with or without its seal; reading the database does not reveal tokens. Undefined for
 * malformed text.
 */
export function tokenHash(token: string | undefined): Buffer | undefined {
  const [, plain] = /^([A-Za-z0-9_-]{43})(?:\.[A-Za-z0-9_-]{43})?$/.exec(token ?? '') ?? [];
  return plain === undefined ? undefined : newTokenHash(plain);
}

export function newTokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
