import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Simulator, startSimulator } from '../../square-simulator/start-simulator.ts';
import { findRunningPostgres, startEmbeddedPostgres } from '../database/embedded/postgres.ts';
import { migrate } from '../database/migrate.ts';
import { createSquareProcessor, type SquareProcessor } from '../square/square.ts';
import type { Environment } from './env.ts';

// The two peers of the server: a database and Square. An embedded PostgreSQL and a local Square are
// started when none is configured.

/** Registers how to close a resource. */
export type Closing = (close: () => Promise<unknown>) => void;

/**
 * Opens the database and migrates it. @returns its address, as the owner or as the configured user.
 */
export async function openDatabase(environment: Environment, closing: Closing): Promise<string> {
  const { url, migrationUrl } = environment.database;
  const embedded = url === undefined ? await startEmbeddedPostgres({ dataDir: environment.dataDir }) : undefined;
  if (embedded !== undefined) closing(embedded.stop);
  const databaseUrl = embedded?.url ?? url;
  if (databaseUrl === undefined) throw new Error('There is no database.');
  await migrate({ url: migrationUrl ?? databaseUrl });
  return databaseUrl;
}

/**
 * For a command that may run beside a server. Uses the server's embedded database if it runs, so
 * that no second one is started.
 */
export async function joinDatabase(environment: Environment, closing: Closing): Promise<string> {
  const { url } = environment.database;
  const running = url ?? (await findRunningPostgres(environment.dataDir));
  return running ?? openDatabase(environment, closing);
}

export type OpenedSquare = {
  readonly card: SquareProcessor;
  readonly scriptUrl: string;
  /** Only for a simulator that this process started. */
  readonly simulator?: Simulator;
  /** The simulator's address for people. */
  readonly simulatorUrl?: string;
};

export async function openSquare(environment: Environment, closing: Closing): Promise<OpenedSquare> {
  const { square, dataDir, server } = environment;
  const { accessToken, locationId } = square;
  if (square.environment !== 'simulator') {
    const peer = square.baseUrl === undefined ? { environment: square.environment } : { baseUrl: square.baseUrl };
    return { card: createSquareProcessor({ accessToken, locationId, ...peer }), scriptUrl: square.scriptUrl };
  }
  if (square.ownSimulator === undefined) return localSquare(environment, square.baseUrl ?? '');
  const simulator = await startSimulator({
    host: server.host,
    port: square.ownSimulator.port,
    accessToken,
    locationId,
    applicationId: square.applicationId,
    dataFile: join(dataDir, 'square-simulator.jsonl'),
    ...(square.ownSimulator.publicUrl === undefined ? {} : { publicUrl: square.ownSimulator.publicUrl }),
  });
  await writeFile(addressFile(environment), simulator.url);
  closing(async () => {
    await rm(addressFile(environment), { force: true });
    await simulator.close();
  });
  const simulatorUrl = square.ownSimulator.publicUrl ?? simulator.url;
  return {
    ...localSquare(environment, simulator.url),
    scriptUrl: `${simulatorUrl}/v1/square.js`,
    simulator,
    simulatorUrl,
  };
}

/**
 * For a command that may run beside a server. Uses the server's local Square if it runs, because
 * only one process may write its file.
 */
export async function joinSquare(environment: Environment, closing: Closing): Promise<OpenedSquare> {
  const running = await readFile(addressFile(environment), 'utf8').catch(() => '');
  if (environment.square.environment !== 'simulator' || !(await answers(running))) {
    return openSquare(environment, closing);
  }
  return localSquare(environment, running);
}

function localSquare({ square }: Environment, baseUrl: string): OpenedSquare {
  const { accessToken, locationId } = square;
  return { card: createSquareProcessor({ accessToken, locationId, baseUrl }), scriptUrl: `${baseUrl}/v1/square.js` };
}

/** This file holds the address of a running local Square. A killed server leaves it behind. */
function addressFile({ dataDir }: Environment): string {
  return join(dataDir, 'square-simulator.address');
}

async function answers(url: string): Promise<boolean> {
  if (url === '') return false;
  const asked = fetch(`${url}/v1/square.js`, { signal: AbortSignal.timeout(2000) });
  return asked.then(
    (answer) => answer.ok,
    () => false,
  );
}
