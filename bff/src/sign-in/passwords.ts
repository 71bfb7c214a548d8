import { hash, type Options, verify } from '@node-rs/argon2';
import { limitConcurrency } from '../server/limit-concurrency.ts';

// Argon2id with OWASP's minimum costs: 19 MiB, two passes, one lane. `2` means Argon2id: the
// package's name for it is a `const enum`, which does not exist when types are stripped.
const costs: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Each hash takes 19 MiB and a processor core for a moment. */
const hashing = limitConcurrency(2);

export async function hashPassword(password: string): Promise<string> {
  return await hashing(() => hash(password, costs));
}

let decoyHash: Promise<string> | undefined;

/**
 * Whether this is the password. Without a hash (an unknown account) the check takes the same time
 * and fails, so that the time of an answer does not reveal whether an account exists.
 */
export async function isPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  decoyHash ??= hashPassword(crypto.randomUUID());
  const kept = passwordHash ?? (await decoyHash);
  const matches = await hashing(() => verify(kept, password));
  return matches && passwordHash !== undefined;
}
