import { hash, type Options, verify } from '@node-rs/argon2';
import { limitConcurrency } from '../server/limit-concurrency.ts';

// Argon2id with the costs that OWASP names as the least: 19 MiB, two passes, one lane. `2` is Argon2id: the package's own name of it
// is a `const enum`, which does not exist when types are stripped.
const costs: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Each hash takes 19 MiB and a core for a moment. */
const hashing = limitConcurrency(2);

export async function hashPassword(password: string): Promise<string> {
  return await hashing(() => hash(password, costs));
}

let nobodys: Promise<string> | undefined;

/**
 * Whether this is the password. Without a hash, because there is no such account, it takes as long and says no: how long an answer
 * takes must not tell whether a name exists.
 */
export async function isPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  nobodys ??= hashPassword(crypto.randomUUID());
  const kept = passwordHash ?? (await nobodys);
  const matches = await hashing(() => verify(kept, password));
  return matches && passwordHash !== undefined;
}
