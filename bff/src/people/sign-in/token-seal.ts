import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Sql } from '../../core/database/database.ts';
import { findAuthenticity } from '../../core/ledger/authenticity.ts';
import { newTokenHash } from './tokens.ts';

/** Only a server may decide the facts. */
export type Sealed = { readonly purpose: 'session' | 'sign-in'; readonly facts: readonly (string | null)[] };

/** Without a signing key, tokens end with the process. Servers and commands beside them have one. */
const keyOfThisProcess = randomBytes(32);

/**
 * A row that somebody else writes opens nothing, and a changed fact closes the token.
 * @param token as `newToken` makes it
 */
export function sealed(sql: Sql, token: string, what: Sealed): string {
  return `${token}.${sealOf(sql, token, what)}`;
}

export function isSealed(sql: Sql, sealedToken: string, what: Sealed): boolean {
  const [token = '', seal = ''] = sealedToken.split('.');
  const [given, expected] = [Buffer.from(seal), Buffer.from(sealOf(sql, token, what))];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function sealOf(sql: Sql, token: string, { purpose, facts }: Sealed): string {
  const key = findAuthenticity(sql)?.keyOfTokens ?? keyOfThisProcess;
  const lines = [purpose, newTokenHash(token).toString('hex'), ...facts.map((fact) => fact ?? '')];
  return createHmac('sha256', key).update(lines.join('\n')).digest('base64url');
}
