import type { Sql } from '../database/database.ts';
import type { Terminal } from './terminal.ts';

/**
 * 0: no faults. 2: faults were printed. 3: no faults, but nothing outside the database proves it. A command that cannot
 * run throws; the exit code is 1.
 */
export type ExitCode = 0 | 2 | 3;

export type SigningKeyPlace = {
  /** Absent: a file below `dataDir` holds the key. */
  readonly signingKey: string | undefined;
  readonly dataDir: string;
  readonly shop: string;
};

export type LedgerWorld = {
  readonly timeZone: string;
  readonly signingKey: SigningKeyPlace;
  /** Of the owner, or of the configured user. */
  readonly databaseUrl: string;
  /** A single connection without a statement timeout. */
  readonly sql: Sql;
  readonly terminal: Terminal;
};

export type LedgerCommand = {
  /** The arguments after `npm run ledger -- `, and what the command does. */
  readonly usage: string;
  /** The command may read a restored ledger before `npm run migrate` has adopted it. */
  readonly runsInAnyCluster?: boolean;
  readonly run: (world: LedgerWorld, args: readonly string[]) => Promise<ExitCode>;
};

export type LoadCommands = Readonly<Record<string, () => Promise<LedgerCommand>>>;
