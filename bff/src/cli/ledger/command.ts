import type { Sql } from '../../database/database.ts';
import type { Environment } from '../../server/env.ts';
import type { Terminal } from './terminal.ts';

/** 0: all is well. 2: faults were found, and told. What could not be done at all is thrown, and ends with 1. */
export type ExitCode = 0 | 2;

/** What every command of `npm run ledger` works with. */
export type LedgerWorld = {
  readonly environment: Environment;
  /** As the owner of everything, or whoever is configured. */
  readonly databaseUrl: string;
  /** One connection with those rights, on which statements take as long as they take. */
  readonly sql: Sql;
  readonly terminal: Terminal;
};

/** One command of `npm run ledger`. */
export type LedgerCommand = {
  /** How it is written, after `npm run ledger -- `, and what it does: for people. */
  readonly usage: string;
  readonly run: (world: LedgerWorld, args: readonly string[]) => Promise<ExitCode>;
};
