import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from '../core/database/database.ts';
import type { DatabasePlace } from '../core/database/explain-database-error.ts';
import { findPooler } from '../core/database/find-pooler.ts';
import { migrate } from '../core/database/migrate.ts';
import { requireDatabase } from '../core/database/require-database.ts';
import { codeOf, type Diagnosis, sentenceOf } from '../core/runtime/diagnosis.ts';
import type { Closing, Shutdown } from '../core/runtime/shutdown.ts';
import { createSquareProcessor, type SquareProcessor } from '../core/square/square.ts';
import { onPort } from './check/check-port.ts';
import { checkPrivileges, checkWidth, type DatabaseFacts, readFacts } from './check/database-facts.ts';
import { findRunningPostgres, startEmbeddedPostgres } from './embedded/postgres.ts';
import { type Environment, ownerPlace } from './env.ts';
import type { MailPlace } from './mail-variables.ts';
import { type Demo, type Simulator, startDemoPage, startLocalMailbox, startLocalSquare } from './trial-parts.ts';

// Local ones (in development also a mailbox) are started when none is configured.

/**
 * As the owner or as the configured user.
 * @throws Error with a sentence that names the variable when the database cannot be used.
 */
export async function openDatabase(environment: Environment, closing: Closing): Promise<DatabasePlace> {
  const place = await openPlace(environment, closing);
  const judged = { variable: place.variable, production: environment.production };
  if (environment.production) await refuseLogin(place, (facts) => checkWidth(facts, judged));
  const owner = ownerPlace(environment);
  try {
    await migrate(owner?.variable === 'MIGRATION_DATABASE_URL' ? await findPooler(owner) : place);
  } catch (error) {
    // A login that may not even read which migrations are applied gets the remedy.
    if (codeOf(error) === '42501') await refuseLogin(place, (facts) => checkPrivileges(facts, judged));
    throw error;
  }
  const sql = connect({ url: place.url, role: 'kilim_server', max: 1, applicationName: 'kilim start' });
  try {
    await requireDatabase(sql, place);
  } finally {
    await sql.end({ timeout: 1 });
  }
  await refuseLogin(place, (facts) => checkPrivileges(facts, judged));
  return place;
}

/** @throws Error with the sentences of the check. */
async function refuseLogin(place: DatabasePlace, check: (facts: DatabaseFacts) => readonly Diagnosis[]): Promise<void> {
  const sql = connect({ url: place.url, max: 1, applicationName: 'kilim start' });
  try {
    await requireDatabase(sql, place);
    const errors = check(await readFacts(sql)).filter(({ level }) => level === 'error');
    if (errors.length > 0) throw new Error(errors.map(sentenceOf).join(' '));
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function openPlace({ database: { url }, dataDir }: Environment, closing: Closing): Promise<DatabasePlace> {
  if (url !== undefined) return await findPooler({ variable: 'DATABASE_URL', url });
  const embedded = await startEmbeddedPostgres({ dataDir });
  closing(embedded.stop);
  return { variable: 'DATA_DIR', url: embedded.url };
}

/** Uses the embedded database of a running server. */
export async function joinDatabase(environment: Environment, closing: Closing): Promise<DatabasePlace> {
  const place = await findDatabase(environment);
  return place === undefined ? await openDatabase(environment, closing) : await findPooler(place);
}

export async function findDatabase({ database, dataDir }: Environment): Promise<DatabasePlace | undefined> {
  if (database.url !== undefined) return { variable: 'DATABASE_URL', url: database.url };
  const url = await findRunningPostgres(dataDir);
  return url === undefined ? undefined : { variable: 'DATA_DIR', url };
}

export type OpenedSquare = {
  readonly card: SquareProcessor;
  readonly scriptUrl: string;
  readonly simulator?: Simulator;
  readonly simulatorUrl?: string;
};

export async function openSquare(environment: Environment, closing: Closing): Promise<OpenedSquare> {
  const { square, dataDir, server } = environment;
  if (square.ownSimulator === undefined) return configuredSquare(environment);
  const { accessToken, locationId } = square;
  const place = { host: server.host, port: square.ownSimulator.port };
  const options = {
    ...place,
    accessToken,
    locationId,
    applicationId: square.applicationId,
    dataFile: join(dataDir, 'square-simulator.jsonl'),
    ...(square.ownSimulator.publicUrl === undefined ? {} : { publicUrl: square.ownSimulator.publicUrl }),
  };
  const simulator = await onPort({ variable: 'SIMULATOR_PORT', ...place }, () => startLocalSquare(options));
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

/** Uses a running server's local Square, because only one process may write its file. */
export async function joinSquare(environment: Environment, closing: Closing): Promise<OpenedSquare> {
  return (await findSquare(environment)) ?? openSquare(environment, closing);
}

export async function findSquare(environment: Environment): Promise<OpenedSquare | undefined> {
  const { ownSimulator } = environment.square;
  if (ownSimulator === undefined) return configuredSquare(environment);
  const running = await readFile(addressFile(environment), 'utf8').catch(() => '');
  return (await answers(running)) ? localSquare(environment, running) : undefined;
}

function configuredSquare(environment: Environment): OpenedSquare {
  const { square } = environment;
  if (square.environment === 'simulator') return localSquare(environment, square.baseUrl ?? '');
  const { accessToken, applicationId, locationId, baseUrl } = square;
  const peer = baseUrl === undefined ? { environment: square.environment } : { baseUrl };
  return {
    card: createSquareProcessor({ accessToken, applicationId, locationId, ...peer }),
    scriptUrl: square.scriptUrl,
  };
}

function localSquare({ square }: Environment, baseUrl: string): OpenedSquare {
  const { accessToken, applicationId, locationId } = square;
  const card = createSquareProcessor({ accessToken, applicationId, locationId, baseUrl });
  return { card, scriptUrl: `${baseUrl}/v1/square.js` };
}

export type OpenedMail = {
  readonly place: MailPlace;
  readonly mailboxUrl?: string;
};

/** @returns undefined when no mails are sent. */
export async function openMailServer(
  { mail, ownMailbox, server }: Environment,
  closing: Closing,
): Promise<OpenedMail | undefined> {
  if (mail !== undefined) return { place: mail };
  if (ownMailbox === undefined) return undefined;
  const mailbox = await startLocalMailbox({ host: server.host, port: ownMailbox.port });
  if (mailbox === undefined) return undefined;
  closing(mailbox.close);
  const place = { ...trialAddresses, smtpUrl: mailbox.smtpUrl };
  return { place, mailboxUrl: ownMailbox.publicUrl ?? mailbox.url };
}

const trialAddresses = {
  from: 'orders@shop.example',
  shopTo: 'owner@shop.example',
  operatorTo: 'operator@shop.example',
  accountantTo: 'accountant@shop.example',
};

/** Of a running local Square. A killed server leaves it behind. */
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

/** Waits for both even if one fails: an unclosed peer would keep the process alive. */
export async function openDatabaseAndSquare(environment: Environment, closing: Shutdown['closing']) {
  const [database, square] = await Promise.allSettled([
    openDatabase(environment, closing('peers', 'the embedded database')),
    openWarmSquare(environment, closing('peers', 'the local Square')),
  ]);
  if (database.status === 'rejected') throw database.reason;
  if (square.status === 'rejected') throw square.reason;
  return { database: database.value, square: square.value };
}

/** Loads Square's SDK, which blocks the event loop, while the database starts and before any request waits. */
async function openWarmSquare(environment: Environment, closing: Closing): Promise<OpenedSquare> {
  const opened = await openSquare(environment, closing);
  await opened.card.warmUp();
  return opened;
}

/** In production only the company's own pages may frame the form. */
export async function openDemo(environment: Environment, closing: Closing): Promise<Demo | undefined> {
  if (environment.production) return undefined;
  const demo = await startDemoPage({ host: environment.server.host, port: environment.embedding.demoParentPort });
  if (demo !== undefined) closing(demo.close);
  return demo;
}
