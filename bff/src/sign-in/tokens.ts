import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits as text that fits a cookie and a header. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What is kept of a token: who reads the database cannot use it. Undefined when the text cannot be one of ours. */
export function tokenHash(token: string | undefined): Buffer | undefined {
  if (token === undefined || !/^[A-Za-z0-9_-]{43}$/.test(token)) return undefined;
  return createHash('sha256').update(token).digest();
}

/** Of a token that was made here just now. */
export function newTokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
