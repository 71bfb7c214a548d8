import { accountingCommands } from '../../accounting/commands.ts';
import type { ExitCode, LedgerCommand, LoadCommands } from '../../core/cli/command.ts';
import { openTerminal } from '../../core/cli/terminal.ts';
import { confirmCluster } from '../../core/database/cluster.ts';
import { connect } from '../../core/database/database.ts';
import type { DatabasePlace } from '../../core/database/explain-database-error.ts';
import { refusePooler } from '../../core/database/find-pooler.ts';
import { requireDatabase } from '../../core/database/require-database.ts';
import { proofCommands } from '../../proof/commands.ts';
import { signingKeyPlace } from '../../proof/signing-key.ts';
import { type Environment, ownerPlace, parseEnvironment } from '../env.ts';

const commands: LoadCommands = {
  ...proofCommands,
  rebuild: async () => (await import('../../core/cli/rebuild-command.ts')).rebuildCommand,
  compare: async () => (await import('../../core/cli/compare-command.ts')).compareCommand,
  ...accountingCommands,
};

async function usage(): Promise<string> {
  const all = await Promise.all(Object.values(commands).map((load) => load()));
  return `npm run ledger -- <command>

${all.map((command) => command.usage).join('\n')}

Exit codes: 0 when there are no faults, 2 when faults were found, 3 when "verify" found none and no kept note proves it,
1 when the command could not run. MIGRATION_DATABASE_URL or DATABASE_URL names the database; without them the embedded one below DATA_DIR is used.
`;
}

/** @returns the exit code. @throws Error with a sentence when the command cannot run. */
export async function runNamedCommand([name, ...args]: readonly string[]): Promise<ExitCode | 1> {
  const load = name === undefined || !Object.hasOwn(commands, name) ? undefined : commands[name];
  if (load === undefined) {
    process.stdout.write(await usage());
    return name === undefined || name === 'help' ? 0 : 1;
  }
  const parsed = parseEnvironment(process.env);
  if (!parsed.ok) throw new Error(parsed.rejection.join('\n'));
  return await runBesideServers(parsed.value, await load(), args);
}

async function runBesideServers(
  environment: Environment,
  command: LedgerCommand,
  args: readonly string[],
): Promise<ExitCode> {
  const closers: (() => Promise<unknown>)[] = [];
  const closing = (close: () => Promise<unknown>) => closers.unshift(close);
  try {
    const place = ownerPlace(environment) ?? (await joinEmbedded(environment, closing));
    await refusePooler(place);
    const { url: databaseUrl } = place;
    const sql = connect({ url: databaseUrl, max: 1, applicationName: 'kilim ledger', statementTimeoutSeconds: 0 });
    closing(() => sql.end({ timeout: 1 }));
    await requireDatabase(sql, place);
    if (command.runsInAnyCluster !== true) await confirmCluster(sql);
    const { timeZone } = environment.business;
    const signingKey = signingKeyPlace(environment);
    return await command.run({ timeZone, signingKey, databaseUrl, sql, terminal: openTerminal(process.stdout) }, args);
  } finally {
    for (const close of closers) await close();
  }
}

/** Loads the embedded database's code only when no database is configured. */
async function joinEmbedded(
  environment: Environment,
  closing: (close: () => Promise<unknown>) => void,
): Promise<DatabasePlace> {
  const { joinDatabase } = await import('../start-peers.ts');
  return await joinDatabase(environment, closing);
}
