import type { PasswordChanged } from './password.ts';
import type { Role } from './permissions.ts';
import type { SecondFactorEvent } from './second-factor.ts';

/** `invited`: there is no password yet. `disabled`: signing in is impossible, until an owner enables the account. */
export const accountStates = ['invited', 'active', 'disabled'] as const;
export type AccountState = (typeof accountStates)[number];

/** A link lets an invited person choose the first password, and an active one a new password. */
export const linkPurposes = ['invitation', 'reset'] as const;
export type LinkPurpose = (typeof linkPurposes)[number];

export const longestDisplayName = 100;

/** `admin:operator` is the actor of commands on the server, so no account may have this name. */
export const reservedUsernames: readonly string[] = ['operator', 'retention'];

/*
 * The events of the stream `admin-<name>`. They name people by their sign-in names only: display names are personal
 * data, and the ledger cannot forget.
 */

/** An owner or the operator invited a person. */
export type AccountInvited = { readonly type: 'AccountInvited'; readonly username: string; readonly role: Role };

/** An owner or the operator made another link with which the person chooses a password. */
export type PasswordLinkIssued = {
  readonly type: 'PasswordLinkIssued';
  readonly username: string;
  readonly purpose: LinkPurpose;
};

/** The invited person chose a password. */
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

/** Sentences for people whose command was refused. */
export const peopleTexts = {
  nameTaken: 'There is already an account with this name.',
  noSuchAccount: 'There is no such account.',
  disabled: 'This account is disabled. Enable it first.',
  lastOwner: 'This is the last active owner. Make another person an owner first.',
  linkInvalid: 'This link has expired or was used. Please ask an owner for another one.',
  samePassword: 'This is your temporary password. Please choose another one',
} as const;
