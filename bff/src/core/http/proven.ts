import type { Brand } from '@kilim/domain/brand';
import { may, notPermittedText, type Permission, type Role } from '@kilim/domain/people/permissions';
import type { SecurityEvent } from '@kilim/domain/people/security-log';
import type { Context } from 'hono';
import type { Transaction } from '../database/database.ts';
import type { Problem } from './problem.ts';
import type { RequestEnv } from './request-id.ts';

// What calls of the back office need to know about a person. The room that knows people makes it.

/** A session that the database has just confirmed. Only a guard makes one. */
export type ProvenSession = Brand<
  {
    readonly id: string;
    readonly username: string;
    readonly displayName: string;
    readonly role: Role;
    /** Within the last ten minutes, with the second factor if the account has one, else with the password. */
    readonly isRecent: boolean;
    readonly hasSecondFactor: boolean;
    readonly mustChangePassword: boolean;
  },
  'ProvenSession'
>;

/** A token that the database has just confirmed. Only a guard makes one. */
export type ProvenExportToken = Brand<
  {
    readonly id: string;
    readonly name: string;
    readonly createdBy: string;
    /** The present role of its creator. */
    readonly role: Role;
  },
  'ProvenExportToken'
>;

export type SecurityEntry = SecurityEvent & {
  /** A name without an account is not stored. */
  readonly username: string | undefined;
  /** On the account of another person: an account, or `operator`. */
  readonly actor?: string | undefined;
};

export type SecurityNotes = {
  /**
   * Never fails, and delays the action by a second at most. A slow database stores the entry later, or the failure is
   * logged.
   */
  readonly note: (entry: SecurityEntry) => Promise<void>;
  /** Adds the entry of a change in the transaction of that change: both or neither. */
  readonly noteIn: (transaction: Transaction, entry: SecurityEntry) => Promise<void>;
};

export type SecurityOf = (c: Context<RequestEnv>) => SecurityNotes;

/** Whether the person of the session may use the right, apart from proofs that it needs. */
export function sessionMay({ role }: ProvenSession, permission: Permission): boolean {
  return may(role, permission);
}

export function notPermitted(role: Role, permission: Permission): Problem {
  return { status: 403, code: 'NotPermitted', message: notPermittedText(role, permission) };
}

/** The page asks for the password, sends it to `reauthenticate`, and repeats the call. */
export const reauthenticationRequired: Problem = {
  status: 403,
  code: 'ReauthenticationRequired',
  message: 'Please enter your password again.',
};
