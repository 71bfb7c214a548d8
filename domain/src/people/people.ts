import type { PasswordChanged } from './password.ts';
import type { Role } from './permissions.ts';
import type { SecondFactorEvent } from './second-factor.ts';

/** `invited`: without a password. `disabled`: until an owner enables the account. */
export const accountStates = ['invited', 'active', 'disabled'] as const;
export type AccountState = (typeof accountStates)[number];

export const linkPurposes = ['invitation', 'reset'] as const;
export type LinkPurpose = (typeof linkPurposes)[number];

export const longestDisplayName = 100;

/** `admin:operator` is the actor of commands on the server. */
export const reservedUsernames: readonly string[] = ['operator', 'retention'];

/*
 * The stream `admin-<name>` names people by sign-in names only: display names are personal data, and the ledger cannot
 * forget.
 */

export type AccountInvited = { readonly type: 'AccountInvited'; readonly username: string; readonly role: Role };

export type PasswordLinkIssued = {
  readonly type: 'PasswordLinkIssued';
  readonly username: string;
  readonly purpose: LinkPurpose;
};

export type AccountActivated = { readonly type: 'AccountActivated'; readonly username: string };

export type RoleChanged = {
  readonly type: 'RoleChanged';
  readonly username: string;
  readonly from: Role;
  readonly to: Role;
  readonly endedSessions: number;
};

export type AccountDisabled = {
  readonly type: 'AccountDisabled';
  readonly username: string;
  readonly endedSessions: number;
  readonly revokedTokens: number;
};

export type AccountEnabled = { readonly type: 'AccountEnabled'; readonly username: string };

export type AdminEvent =
  | PasswordChanged
  | AccountInvited
  | PasswordLinkIssued
  | AccountActivated
  | RoleChanged
  | AccountDisabled
  | AccountEnabled
  | SecondFactorEvent;

export const peopleTexts = {
  nameTaken: 'There is already an account with this name.',
  noSuchAccount: 'There is no such account.',
  disabled: 'This account is disabled. Enable it first.',
  lastOwner: 'This is the last active owner. Make another person an owner first.',
  linkInvalid: 'This link has expired or was used. Please ask an owner for another one.',
  samePassword: 'This is your temporary password. Please choose another one',
} as const;
