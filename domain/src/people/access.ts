import type { AccountState } from './people.ts';
import type { Role } from './permissions.ts';

/**
 * What decides whether and with which rights a person signs in. Secrets are SHA-256 digests of the stored values; a
 * stored hash contains a random salt, so the digest does not help to guess a password.
 */
export type Access = {
  readonly role: Role;
  readonly state: AccountState;
  /** Null until an invited person chooses a password. */
  readonly password: string | null;
  /** Of the ids and public keys; null without passkeys. */
  readonly passkeys: string | null;
  /** Of the encrypted secret; null without an authenticator app. */
  readonly oneTimeCode: string | null;
  /** Of all hashes, used ones too; null without codes. */
  readonly recoveryCodes: string | null;
  /** Of the token of the link to choose a password; null without a link. */
  readonly link: string | null;
};

export const accessParts = [
  'role',
  'state',
  'password',
  'passkeys',
  'oneTimeCode',
  'recoveryCodes',
  'link',
] as const satisfies readonly (keyof Access)[];
export type AccessPart = (typeof accessParts)[number];

/**
 * `before` is read in the same transaction: unless it equals the last event's `after`, the account was changed without
 * a command.
 */
export type AccessChanged = {
  readonly type: 'AccessChanged';
  readonly username: string;
  /** Null: the command created the account. */
  readonly before: Access | null;
  readonly after: Access;
};

export function differingParts(one: Access, other: Access): readonly AccessPart[] {
  return accessParts.filter((part) => one[part] !== other[part]);
}
