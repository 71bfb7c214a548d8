import { fileURLToPath } from 'node:url';
import { builtInPrices } from '@kilim/domain/catalog';
import { createApi } from './api.ts';
import { startSimulator } from './card/simulator/start-simulator.ts';
import { createSquareProcessor, type SquareProcessor } from './card/square.ts';
import { connect, isDatabaseAway } from './database.ts';
import { type Demo, startDemo } from './demo/start-demo.ts';
import { startEmbeddedPostgres } from './embedded/postgres.ts';
import { type Environment, parseEnvironment, type SquareEnvironment } from './env.ts';
import { builtInSettings } from './http/built-in-settings.ts';
import { contentSecurityPolicy } from './http/content-security-policy.ts';
import type { PublicFacts } from './http/public-facts.ts';
import { createLogger, type Logger } from './logger.ts';
import { migrate } from './migrate.ts';
import { listen } from './server.ts';
import type { PaymentWorld } from './use-case/record-payment.ts';
import { startSettleWorker } from './use-case/settle-worker.ts';

// The only file that composes: it reads the configuration, starts what is not configured, and wires everything together.

const builtFrontend = fileURLToPath(new URL('../../build/frontend', import.meta.url));
const settleEverySeconds = 2;
const graceSeconds = 8;

await run();

async function run(): Promise<void> {
  const parsed = parseEnvironment(process.env);
  if (!parsed.ok) {
    process.stderr.write(`Kilim cannot start:\n${parsed.rejection.map((problem) => `- ${problem}\n`).join('')}`);
    process.exitCode = 1;
    return;
  }
  const environment = parsed.value;
  const log = createLogger({ level: environment.logging.level });
  const closers: (() => Promise<unknown>)[] = [];
  stopOnSignal(log, closers);
  outliveLostConnections(log);
  try {
    await start(environment, log, closers);
  } catch (error) {
    process.stderr.write(`Kilim cannot start: ${error instanceof Error ? error.message : 'for an unknown reason'}\n`);
    log.fatal({ err: error }, 'the start failed');
    process.exitCode = 1;
    await closeAll(log, closers);
  }
}

/** Whatever is started puts how to stop it in front, so that stopping goes backwards. */
async function start(environment: Environment, log: Logger, closers: (() => Promise<unknown>)[]): Promise<void> {
  const closing = (close: () => Promise<unknown>) => closers.unshift(close);
  // When one fails, the other is waited for all the same: what it started would otherwise stay, and keep the process alive.
  const [database, opened] = await Promise.allSettled([
    openDatabase(environment, closing),
    openSquare(environment.square, environment, closing),
  ]);
  if (database.status === 'rejected') throw database.reason;
  if (opened.status === 'rejected') throw opened.reason;
  const databaseUrl = database.value;
  const square = opened.value;
  const sql = connect({ url: databaseUrl, role: 'kilim_app', max: 12, applicationName: 'kilim' });
  closing(() => sql.end({ timeout: graceSeconds }));

  const world: PaymentWorld = { sql, card: square.card, log, now: () => new Date() };
  const demo = await openDemo(environment, closing);
  const facts = publicFacts(environment, square.scriptUrl, demo?.origins ?? []);
  const publicUrl = (port: number) => environment.server.publicUrl ?? `http://${environment.server.host}:${port}`;
  const server = await listen({
    host: environment.server.host,
    port: environment.server.port,
    handler: (port) =>
      createApi({
        world,
        facts,
        prices: () => builtInPrices,
        publicUrl: publicUrl(port),
        pages: {
          root: builtFrontend,
          data: () => ({ config: facts.config, settings: facts.settings() }),
          contentSecurityPolicy: contentSecurityPolicy({
            environment: environment.square.environment,
            scriptOrigin: new URL(square.scriptUrl).origin,
            parentOrigins: facts.config.parentOrigins,
            abConversionUrl: facts.config.abConversionUrl,
          }),
        },
      }),
  });
  closing(() => server.close(graceSeconds));
  if (demo !== undefined) say(`Demo marketing page is ready: ${demo.show(publicUrl(server.port))}`);
  say(`Kilim is ready: ${publicUrl(server.port)}`);

  const worker = startSettleWorker(world, settleEverySeconds);
  closing(worker.stop);
  // The SDK takes seconds to load and holds the process up meanwhile, so it is loaded after the server is ready, and before the
  // first payment needs it.
  setTimeout(() => void warmUp(square.card, log), 100);
}

type Closing = (close: () => Promise<unknown>) => void;

async function openDatabase(environment: Environment, closing: Closing): Promise<string> {
  const { url, migrationUrl } = environment.database;
  const embedded = url === undefined ? await startEmbeddedPostgres({ dataDir: environment.dataDir }) : undefined;
  if (embedded !== undefined) closing(embedded.stop);
  const databaseUrl = embedded?.url ?? url;
  if (databaseUrl === undefined) throw new Error('There is no database.');
  await migrate({ url: migrationUrl ?? databaseUrl });
  return databaseUrl;
}

type OpenedSquare = { readonly card: SquareProcessor; readonly scriptUrl: string };

async function openSquare(
  square: SquareEnvironment,
  { dataDir, server }: Environment,
  closing: Closing,
): Promise<OpenedSquare> {
  const { accessToken, locationId } = square;
  if (square.environment !== 'simulator') {
    const peer = square.baseUrl === undefined ? { environment: square.environment } : { baseUrl: square.baseUrl };
    return { card: createSquareProcessor({ accessToken, locationId, ...peer }), scriptUrl: square.scriptUrl };
  }
  if (square.ownSimulator === undefined) {
    const baseUrl = square.baseUrl ?? '';
    return { card: createSquareProcessor({ accessToken, locationId, baseUrl }), scriptUrl: `${baseUrl}/v1/square.js` };
  }
  const simulator = await startSimulator({
    host: server.host,
    port: square.ownSimulator.port,
    accessToken,
    locationId,
    applicationId: square.applicationId,
    dataFile: `${dataDir}/square-simulator.jsonl`,
    ...(square.ownSimulator.publicUrl === undefined ? {} : { publicUrl: square.ownSimulator.publicUrl }),
  });
  closing(simulator.close);
  const publicUrl = square.ownSimulator.publicUrl ?? simulator.url;
  say(`Local Square is ready (test cards only): ${publicUrl}`);
  return {
    card: createSquareProcessor({ accessToken, locationId, baseUrl: simulator.url }),
    scriptUrl: `${publicUrl}/v1/square.js`,
  };
}

/** In production nobody but the company's own pages frames the form. */
async function openDemo(environment: Environment, closing: Closing): Promise<Demo | undefined> {
  if (environment.production) return undefined;
  const demo = await startDemo({ host: environment.server.host, port: environment.embedding.demoParentPort });
  closing(demo.close);
  return demo;
}

function publicFacts(environment: Environment, scriptUrl: string, demoOrigins: readonly string[]): PublicFacts {
  const { square, embedding, business } = environment;
  return {
    config: {
      square: {
        applicationId: square.applicationId,
        locationId: square.locationId,
        environment: square.environment,
        scriptUrl,
      },
      parentOrigins: embedding.parentOrigins ?? demoOrigins,
      abConversionUrl: embedding.abConversionUrl ?? null,
      checkoutTopLevel: embedding.checkoutTopLevel,
      business: {
        ...business,
        dropOffSites: [
          { name: 'West LA', note: 'by appointment only' },
          { name: 'Valley', note: 'walk-ins welcome' },
        ],
      },
    },
    settings: () => builtInSettings,
  };
}

async function warmUp(card: SquareProcessor, log: Logger): Promise<void> {
  try {
    await card.warmUp();
  } catch (error) {
    log.error({ err: error }, "Square's SDK could not be loaded");
  }
}

/** The first signal stops gracefully; being killed instead is equally safe, only less polite. */
function stopOnSignal(log: Logger, closers: (() => Promise<unknown>)[]): void {
  let stopping = false;
  const stop = async () => {
    // A terminal signals everything in it, and npm passes the same signal on once more.
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), 10_000).unref();
    await closeAll(log, closers);
    process.exit();
  };
  process.once('SIGTERM', () => void stop());
  process.once('SIGINT', () => void stop());
}

/**
 * Among several hosts postgres.js asks a new connection for its state in a promise that nobody waits for: one that breaks just then would
 * end the process. Whatever else is rejected unheard is a bug, and ends it.
 */
function outliveLostConnections(log: Logger): void {
  process.on('unhandledRejection', (reason) => {
    if (!isDatabaseAway(reason)) throw reason;
    log.error({ err: reason }, 'a connection to the database was lost');
  });
}

async function closeAll(log: Logger, closers: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const close of closers) {
    try {
      await close();
    } catch (error) {
      log.error({ err: error }, 'stopping met an error');
    }
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
