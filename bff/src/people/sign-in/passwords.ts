import { hash, type Options, verify } from '@node-rs/argon2';
import { limitConcurrency } from '../../core/runtime/limit-concurrency.ts';

// Argon2id with OWASP's minimum costs: 19 MiB, two passes, one lane. `2` means Argon2id: the package's `const enum`
// does not exist when types are stripped.
const costs: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Trusted browsers have their own turn: they do not wait behind guessing strangers. */
const hashing = { stranger: limitConcurrency(2), trusted: limitConcurrency(1) };

const presentCosts = `$argon2id$v=19$m=${costs.memoryCost},t=${costs.timeCost},p=${costs.parallelism}$`;

export async function hashPassword(password: string): Promise<string> {
  return await hashing.trusted(() => hash(password, costs));
}

let decoyHash: Promise<string> | undefined;

/**
 * Without a hash the check takes the same time and fails, so that the time does not reveal whether an account exists.
 */
export async function isPassword(
  password: string,
  passwordHash: string | undefined,
  turn: keyof typeof hashing = 'trusted',
): Promise<boolean> {
  decoyHash ??= hashPassword(crypto.randomUUID());
  const kept = passwordHash ?? (await decoyHash);
  const matches = await hashing[turn](() => verify(kept, password));
  return matches && passwordHash !== undefined;
}

/** Whether a hash was made with other costs than new ones. */
export function hasOtherCosts(passwordHash: string): boolean {
  return !passwordHash.startsWith(presentCosts);
}
