import type { DatabasePlace } from '../../database/check/explain-database-error.ts';
import { requireDatabase } from '../../database/check/require-database.ts';
import { confirmCluster } from '../../database/cluster.ts';
import { connect } from '../../database/database.ts';
import { refusePooler } from '../../database/find-pooler.ts';
import { type Environment, ownerPlace, parseEnvironment } from '../../server/env.ts';
import type { ExitCode, LedgerCommand } from './command.ts';
import { openTerminal } from './terminal.ts';

/** Loading all commands takes longer than the work on a small ledger. */
const commands: Readonly<Record<string, () => Promise<LedgerCommand>>> = {
  verify: async () => (await import('./verify-command.ts')).verifyCommand,
  checkpoint: async () => (await import('./checkpoint-command.ts')).checkpointCommand,
  rebuild: async () => (await import('./rebuild-command.ts')).rebuildCommand,
  compare: async () => (await import('./compare-command.ts')).compareCommand,
  certificate: async () => (await import('./certificate-command.ts')).certificateCommand,
  'check-certificate': async () => (await import('./check-certificate-command.ts')).checkCertificateCommand,
  export: async () => (await import('./export-command.ts')).exportCommand,
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
    return await command.run({ environment, databaseUrl, sql, terminal: openTerminal(process.stdout) }, args);
  } finally {
    for (const close of closers) await close();
  }
}

/** Loads the embedded database's code only when no database is configured. */
async function joinEmbedded(
  environment: Environment,
  closing: (close: () => Promise<unknown>) => void,
): Promise<DatabasePlace> {
  const { joinDatabase } = await import('../../server/start-peers.ts');
  return await joinDatabase(environment, closing);
}
