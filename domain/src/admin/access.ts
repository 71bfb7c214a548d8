import type { AccountState } from './people.ts';
import type { Role } from './permissions.ts';

/**
 * What decides whether a person can sign in, and with which rights. Secrets are present as digests only: SHA-256, in
 * hexadecimal, of what the database stores. The stored hash of a password contains a random salt, so the digest
 * does not help to guess a password.
 */
export type Access = {
  readonly role: Role;
  readonly state: AccountState;
  /** Of the stored hash of the password; null until an invited person chooses one. */
  readonly password: string | null;
  /** Of the ids and public keys of all passkeys; null without passkeys. */
  readonly passkeys: string | null;
  /** Of the encrypted secret of the authenticator app; null without one. */
  readonly oneTimeCode: string | null;
  /** Of the hashes of all recovery codes, used ones too; null without codes. */
  readonly recoveryCodes: string | null;
  /** Of the token of the link with which the person may choose a password; null without a link. */
  readonly link: string | null;
};

/** The parts of an access, in the order in which they are named. */
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
 * A command changed the access of an account. `before` is read in the same transaction: when it differs from the
 * `after` of the event before it, the account was changed without a command.
 */
export type AccessChanged = {
  readonly type: 'AccessChanged';
  readonly username: string;
  /** Null: the command created the account. */
  readonly before: Access | null;
  readonly after: Access;
};

/** The parts in which two accesses differ. */
export function differingParts(one: Access, other: Access): readonly AccessPart[] {
  return accessParts.filter((part) => one[part] !== other[part]);
}
