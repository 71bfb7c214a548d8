import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Sql } from '../database/database.ts';
import { findMacKey } from '../ledger/event-mac.ts';
import { newTokenHash } from './tokens.ts';

/** What a token stands for, and the facts about it that only a server may decide. */
export type Sealed = { readonly purpose: 'session' | 'sign-in'; readonly facts: readonly (string | null)[] };

/** Without a signing key, tokens end with the process. Servers and commands beside them have one. */
const keyOfThisProcess = randomBytes(32);

/**
 * Adds a MAC over the token and its facts, by a key that the database never sees. So a row that
 * somebody else writes opens nothing, and a changed fact closes the token.
 * @param token as `newToken` makes it
 */
export function sealed(sql: Sql, token: string, what: Sealed): string {
  return `${token}.${sealOf(sql, token, what)}`;
}

/** Whether a server made this token with its seal for these facts. */
export function isSealed(sql: Sql, sealedToken: string, what: Sealed): boolean {
  const [token = '', seal = ''] = sealedToken.split('.');
  const [given, expected] = [Buffer.from(seal), Buffer.from(sealOf(sql, token, what))];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function sealOf(sql: Sql, token: string, { purpose, facts }: Sealed): string {
  const key = findMacKey(sql)?.ofTokens ?? keyOfThisProcess;
  const lines = [purpose, newTokenHash(token).toString('hex'), ...facts.map((fact) => fact ?? '')];
  return createHmac('sha256', key).update(lines.join('\n')).digest('base64url');
}
