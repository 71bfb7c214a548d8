import { existsSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ConfigAnswer } from '../../contract/config.ts';
import { type BackgroundWork, startBackgroundWork } from '../core/background/background-work.ts';
import { beginMails } from '../core/background/send-mails.ts';
import { startWatchingSchema } from '../core/background/watch-schema.ts';
import { confirmCluster } from '../core/database/cluster.ts';
import type { Sql } from '../core/database/database.ts';
import { createApi, type Throttling } from '../core/http/api.ts';
import { imagesAtCloudinary } from '../core/http/images/cloudinary.ts';
import type { ImageHost } from '../core/http/images/image-host.ts';
import { imagesInPostgres } from '../core/http/images/in-postgres.ts';
import { factsOf, type PublicFacts } from '../core/http/shop/public-facts.ts';
import { readDomainAssociation } from '../core/http/site/apple-pay.ts';
import {
  adminContentSecurityPolicy,
  cloudinaryFolder,
  contentSecurityPolicy,
} from '../core/http/site/content-security-policy.ts';
import type { Pages } from '../core/http/site/pages.ts';
import { loadRenderHome } from '../core/http/site/render-home.ts';
import type { SquareWebhooks } from '../core/http/square-webhooks.ts';
import { expectJobs, jobNames } from '../core/ledger/jobs.ts';
import { openSavedSettings, type SavedSettings } from '../core/queries/saved-settings.ts';
import { limitHeapGrowth } from '../core/runtime/heap-growth.ts';
import { createLogger, type Logger } from '../core/runtime/logger.ts';
import { createMetrics } from '../core/runtime/metrics.ts';
import type { Closing } from '../core/runtime/shutdown.ts';
import { createShutdown, type Shutdown, stageEndsAtMs } from '../core/runtime/shutdown.ts';
import { openSmtp } from '../core/runtime/smtp.ts';
import { lineByLine } from '../core/runtime/standard-output.ts';
import { observed } from '../core/square/observed.ts';
import type { SquareProcessor } from '../core/square/square.ts';
import type { World } from '../core/use-case/world.ts';
import type { SecondFactorRules } from '../people/http/app.ts';
import { ensureFirstAdministrator } from '../people/sign-in/accounts.ts';
import { adoptAccounts } from '../people/sign-in/adopt-accounts.ts';
import { type IsStolen, stolenPasswordsAt } from '../people/sign-in/stolen-passwords.ts';
import { authenticateAppends, macKeyOf } from '../proof/event-mac.ts';
import { openSigningKey, signingKeyPlace } from '../proof/signing-key.ts';
import { openWitnesses } from '../proof/witness/open-witnesses.ts';
import { frontendBuilt } from './build-frontend.ts';
import { checkAtStart, type StartedServer } from './check/check-at-start.ts';
import { type Environment, parseEnvironment, webhookPath } from './env.ts';
import { reachable } from './listen.ts';
import { listenOnOrigins, type Origins } from './listen-on-origins.ts';
import { openPools } from './open-pools.ts';
import { type OpenedMail, type OpenedSquare, openDatabase, openMailServer, openSquare } from './start-peers.ts';
import { type Demo, startDemoPage } from './trial-parts.ts';

// The entry point, and the only file that composes the parts.

const builtFrontend = fileURLToPath(new URL('../../../build/frontend', import.meta.url));

await run();

async function run(): Promise<void> {
  limitHeapGrowth();
  const parsed = parseEnvironment(process.env);
  if (!parsed.ok) {
    process.stderr.write(`Kilim cannot start:\n${parsed.rejection.map((problem) => `- ${problem}\n`).join('')}`);
    process.exitCode = 1;
    return;
  }
  const environment = parsed.value;
  const log = createLogger({ level: environment.logging.level });
  const shutdown = createShutdown(log);
  stopOnSignal(log, shutdown);
  try {
    await start(environment, log, shutdown);
  } catch (error) {
    // A stop during the start closes resources that the start needs, so its error is expected.
    if (shutdown.isStopping()) return;
    process.stderr.write(`Kilim cannot start: ${error instanceof Error ? error.message : 'for an unknown reason'}\n`);
    log.fatal({ err: error }, 'the start failed');
    await shutdown.stop(1);
  }
}

async function start(environment: Environment, log: Logger, { closing }: Shutdown): Promise<void> {
  const { database, square } = await openDatabaseAndSquare(environment, closing);
  const { serving: sql, throttling, exporting } = await openPools(database, { closing });
  await confirmCluster(sql);
  const signer = await openSigningKey(signingKeyPlace(environment));
  authenticateAppends(sql, macKeyOf(signer));

  const metrics = createMetrics({ ofProcess: true });
  const world: World = { sql, card: observed(square.card, { metrics, log }), log, now: () => new Date() };
  const demo = await openDemo(environment, closing('peers', 'the demo page'));
  const config = publicConfig(environment, square.scriptUrl, demo?.origins ?? []);
  const settings = await openSavedSettings({ sql, log, business: config.business });
  closing('work', 'reading the settings')(async () => settings.stop());
  const facts = factsOf(config, settings, world.now);
  const mail = await openMailServer(environment, closing('peers', 'the local mailbox'));
  if (mail !== undefined) await beginMails(sql, recipientsOf(mail));
  await expectJobs(sql, jobNames({ sendsMails: mail !== undefined }));
  await adoptAccounts(world);
  const witnesses = openWitnesses(environment.ledger.witnesses);
  const generatedPassword = await ensureFirstAdministrator(sql, {
    ...environment.admin,
    production: environment.production,
  });
  const applePayDomainAssociation = await readDomainAssociation(environment.server.applePayDomainAssociation);
  const schemaMisfit = await startWatchingSchema(world, closing('work', 'watching the schema'));
  let work: BackgroundWork | undefined;
  await frontendBuilt;
  const { origins, port: boundPort } = await listenOnOrigins(environment.server, {
    closing,
    // Shortly before the stage ends, so that cutting off slow clients does not count as a failure.
    graceSeconds: stageEndsAtMs.work / 1000 - 0.5,
    handler: (urls, port) =>
      createApi({
        world,
        facts,
        settings,
        imageHost: openImageHost(environment, sql),
        origins: urls,
        secondFactor: secondFactorOf(environment),
        throttling: throttlingOf(environment, throttling),
        metrics,
        metricsToken: environment.server.metricsToken,
        accounting: { signer, witnesses },
        sendsMails: mail !== undefined,
        exporting,
        webhooks: { ...webhooksOf(environment, port), wake: () => work?.wake() },
        secondsSincePolls: () => work?.secondsSincePolls() ?? 0,
        schemaMisfit,
        isStolen: isStolenOf(environment, log),
        applePayDomainAssociation,
        securityContact: environment.server.securityContact,
        isDevelopment: !environment.production,
        pages: pagesOf(environment, facts, log),
      }),
  });
  announce(environment, { origins, demo, generatedPassword, square, mail });
  const { url, signatureKey = '' } = webhooksOf(environment, boundPort);
  square.simulator?.subscribe({ url, signatureKey });

  const { timeZone } = config.business;
  const mails = mail && mailsOf(mail, settings, origins);
  work = startBackgroundWork({ ...world, signer, witnesses, metrics, timeZone, mails }, closing);
  // Loading the SDK blocks the event loop for seconds, so it happens after the server is ready, and before the first
  // payment.
  const started: StartedServer = { environment, variable: database.variable, signer };
  setTimeout(() => void warmUp(square.card, log).then(() => checkAtStart(world, started)), 100);
}

/** Waits for both even if one fails: an unclosed peer would keep the process alive. */
async function openDatabaseAndSquare(environment: Environment, closing: Shutdown['closing']) {
  const [database, square] = await Promise.allSettled([
    openDatabase(environment, closing('peers', 'the embedded database')),
    openSquare(environment, closing('peers', 'the local Square')),
  ]);
  if (database.status === 'rejected') throw database.reason;
  if (square.status === 'rejected') throw square.reason;
  return { database: database.value, square: square.value };
}

type Announced = {
  readonly origins: Origins;
  readonly demo: Demo | undefined;
  readonly generatedPassword: string | undefined;
  readonly square: OpenedSquare;
  readonly mail: OpenedMail | undefined;
};

function announce({ admin, production }: Environment, { origins, demo, generatedPassword, ...peers }: Announced): void {
  const { simulatorUrl } = peers.square;
  if (simulatorUrl !== undefined) say(`Local Square is ready (test cards only): ${simulatorUrl}`);
  if (peers.mail?.mailboxUrl !== undefined) say(`Mailbox is ready (nothing is delivered): ${peers.mail.mailboxUrl}`);
  if (demo !== undefined) say(`Demo marketing page is ready: ${demo.show(origins.shop)}`);
  if (!production) say(`Back office is at ${origins.office}/admin`);
  if (generatedPassword !== undefined) say(`Sign in as ${admin.username} with ${generatedPassword} (shown only now)`);
  say(`Kilim is ready: ${origins.shop}`);
}

function mailsOf(mail: OpenedMail, settings: SavedSettings, urls: Origins) {
  const current = () => settings.latest().settings;
  return { settings: current, smtp: openSmtp(mail.place), from: mail.place.from, recipients: recipientsOf(mail), urls };
}

function recipientsOf({ place: { shopTo: shop, accountantTo: accountant } }: OpenedMail) {
  return { shop, accountant };
}

function throttlingOf({ square, server, throttling }: Environment, sql: Sql): Throttling {
  return { sql, secret: square.accessToken, trustedProxies: server.trustedProxies, ...throttling };
}

function isStolenOf({ admin: { breachUrl } }: Environment, log: Logger): IsStolen | undefined {
  return breachUrl === undefined ? undefined : stolenPasswordsAt(breachUrl, log);
}

/** Development needs no key, because its database has nothing to protect. */
function secondFactorOf({ admin, production }: Environment): SecondFactorRules {
  return { required: admin.needsSecondFactor, key: admin.secondFactorKey ?? (production ? undefined : 'development') };
}

/** The local Square uses the server's own address. */
function webhooksOf({ square, server }: Environment, port: number): Omit<SquareWebhooks, 'wake'> {
  return {
    url: square.webhookUrl ?? `http://${reachable(server.host)}:${port}${webhookPath}`,
    signatureKey: square.webhookSignatureKey,
  };
}

/** In production only the company's own pages may frame the form. */
async function openDemo(environment: Environment, closing: Closing): Promise<Demo | undefined> {
  if (environment.production) return undefined;
  const demo = await startDemoPage({ host: environment.server.host, port: environment.embedding.demoParentPort });
  if (demo !== undefined) closing(demo.close);
  return demo;
}

function pagesOf({ square, cloudinary }: Environment, facts: PublicFacts, log: Logger): Pages {
  const { scriptUrl } = facts.config.square;
  const { parentOrigins, abConversionUrl } = facts.config;
  const folder = cloudinary && cloudinaryFolder(cloudinary.cloudName);
  const images = () => ({ addresses: Object.values(facts.settings().addOnImages), folder });
  const root = currentBuild();
  return {
    root,
    data: () => ({ config: facts.currentConfig(), settings: facts.settings() }),
    renderHome: loadRenderHome(root, (error) => log.error({ err: error }, 'rendering the home page failed')),
    contentSecurityPolicy: (inlineScripts) =>
      contentSecurityPolicy({
        environment: square.environment,
        scriptOrigin: new URL(scriptUrl).origin,
        parentOrigins,
        abConversionUrl,
        images: images(),
        inlineScripts,
      }),
    adminContentSecurityPolicy: (nonce, inlineScripts) =>
      adminContentSecurityPolicy(nonce, { images: images(), inlineScripts }),
  };
}

/** @returns the folder that the link names now. A later build changes the link and not this folder. */
function currentBuild(): string {
  return existsSync(builtFrontend) ? realpathSync(builtFrontend) : builtFrontend;
}

function openImageHost({ cloudinary }: Environment, sql: Sql): ImageHost {
  return cloudinary === undefined ? imagesInPostgres(sql) : imagesAtCloudinary(cloudinary);
}

function publicConfig(environment: Environment, scriptUrl: string, demoOrigins: readonly string[]): ConfigAnswer {
  const { square, embedding, business } = environment;
  return {
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
  };
}

async function warmUp(card: SquareProcessor, log: Logger): Promise<void> {
  try {
    await card.warmUp();
  } catch (error) {
    log.error({ err: error }, "Square's SDK could not be loaded");
  }
}

/**
 * The first signal stops the server gracefully; later ones change nothing. A terminal signals every
 * process in it, and npm forwards the same signal again.
 */
function stopOnSignal(log: Logger, shutdown: Shutdown): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (!shutdown.isStopping()) log.info({ signal }, 'the server is stopping');
      void shutdown.stop(0);
    });
  }
}

/** Avoids `process.stdout`, which waits without end for a full pipe. */
function say(line: string): void {
  lineByLine.write(`${line}\n`);
}
