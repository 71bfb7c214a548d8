import { connect } from './database.ts';
import { type Environment, parseEnvironment } from './env.ts';
import { checkpointCommand } from './ledger-cli/checkpoint-command.ts';
import type { ExitCode, LedgerCommand } from './ledger-cli/command.ts';
import { compareCommand } from './ledger-cli/compare-command.ts';
import { exportCommand } from './ledger-cli/export-command.ts';
import { rebuildCommand } from './ledger-cli/rebuild-command.ts';
import { openTerminal } from './ledger-cli/terminal.ts';
import { verifyCommand } from './ledger-cli/verify-command.ts';
import { joinDatabase } from './peers.ts';

// npm run ledger -- <command>: proves the ledger, seals it, and makes anew what is derived from it. It runs beside servers.

const commands: Readonly<Record<string, LedgerCommand>> = {
  verify: verifyCommand,
  checkpoint: checkpointCommand,
  rebuild: rebuildCommand,
  compare: compareCommand,
  export: exportCommand,
};

const usage = `npm run ledger -- <command>

${Object.values(commands)
  .map((command) => command.usage)
  .join('\n')}

Ends with 0 when all is well, with 2 when faults were found, with 1 when it could not be done. MIGRATION_DATABASE_URL or DATABASE_URL names the
database; without them the embedded one below DATA_DIR is used.
`;

async function main([name, ...args]: readonly string[]): Promise<ExitCode | 1> {
  const command = name === undefined || !Object.hasOwn(commands, name) ? undefined : commands[name];
  if (command === undefined) {
    process.stdout.write(usage);
    return name === undefined || name === 'help' ? 0 : 1;
  }
  const parsed = parseEnvironment(process.env);
  if (!parsed.ok) throw new Error(parsed.rejection.join('\n'));
  return await runBesideServers(parsed.value, command, args);
}

async function runBesideServers(
  environment: Environment,
  command: LedgerCommand,
  args: readonly string[],
): Promise<ExitCode> {
  const closers: (() => Promise<unknown>)[] = [];
  const closing = (close: () => Promise<unknown>) => closers.unshift(close);
  try {
    const databaseUrl = environment.database.migrationUrl ?? (await joinDatabase(environment, closing));
    const sql = connect({ url: databaseUrl, max: 1, applicationName: 'kilim ledger', statementTimeoutSeconds: 0 });
    closing(() => sql.end({ timeout: 1 }));
    return await command.run({ environment, databaseUrl, sql, terminal: openTerminal(process.stdout) }, args);
  } finally {
    for (const close of closers) await close();
  }
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
