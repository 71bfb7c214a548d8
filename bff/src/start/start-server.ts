import { type BackgroundWork, mailPartsOf, rulesOf, startBackgroundWork } from '../core/background/background-work.ts';
import { openLook } from '../core/background/look.ts';
import { beginMails } from '../core/background/send-mails.ts';
import { startWatchingSchema } from '../core/background/watch-schema.ts';
import { confirmCluster } from '../core/database/cluster.ts';
import { repeatWhileAway } from '../core/database/repeat-while-away.ts';
import { createApi } from '../core/http/api.ts';
import type { OpenDoor } from '../core/http/door.ts';
import type { Origins } from '../core/http/origins.ts';
import { factsOf } from '../core/http/shop/public-facts.ts';
import { readDomainAssociation } from '../core/http/site/apple-pay.ts';
import type { WebhookSigns } from '../core/http/square-webhooks.ts';
import { expectJobs } from '../core/ledger/jobs.ts';
import { openSavedSettings } from '../core/queries/saved-settings.ts';
import type { Room } from '../core/room.ts';
import type { Logger } from '../core/runtime/logger.ts';
import { createMetrics } from '../core/runtime/metrics.ts';
import { type Shutdown, stageEndsAtMs } from '../core/runtime/shutdown.ts';
import { lineByLine } from '../core/runtime/standard-output.ts';
import { observed } from '../core/square/observed.ts';
import type { World } from '../core/use-case/world.ts';
import { apiPage } from './api-page/api-page.ts';
import { frontendBuilt } from './build-frontend.ts';
import { checkAtStart } from './check/check-at-start.ts';
import { freeDisk } from './check/check-disk.ts';
import type { Environment } from './env.ts';
import { listenOnOrigins } from './listen-on-origins.ts';
import { openPools } from './open-pools.ts';
import { mailsOf, recipientsOf, throttlingOf, webhooksOf } from './options.ts';
import { openImageHost, pagesOf, publicConfig } from './pages-and-facts.ts';
import { openDatabaseAndSquare, openDemo, openMailServer } from './start-peers.ts';

type Started = {
  readonly environment: Environment;
  readonly log: Logger;
  readonly closing: Shutdown['closing'];
};

export type Peers = Awaited<ReturnType<typeof openPeers>>;

/** The database, Square, and in a trial the demo page and the mailbox. */
export async function openPeers({ environment, closing }: Started) {
  const { database, square } = await openDatabaseAndSquare(environment, closing);
  const pools = await openPools(database, { closing });
  await confirmCluster(pools.serving);
  const demo = await openDemo(environment, closing('peers', 'the demo page'));
  const mail = await openMailServer(environment, closing('peers', 'the local mailbox'));
  return { database, square, pools, demo, mail };
}

export type Core = Awaited<ReturnType<typeof openCore>>;

/** What the rooms need of the core. */
export async function openCore(
  { environment, log, closing }: Started,
  { square, pools, demo }: Peers,
  ofRooms: Pick<World, 'refundWithin' | 'payouts'>,
) {
  const metrics = createMetrics({ ofProcess: true });
  const sql = pools.serving;
  const card = observed(square.card, { metrics, log });
  const world: World = { sql, card, log, now: () => new Date(), ...ofRooms };
  const config = publicConfig(environment, square.scriptUrl, demo?.origins ?? []);
  const look = openLook(sql);
  const settings = await openSavedSettings({ sql, log, business: config.business, look });
  closing('work', 'reading the settings')(settings.stop);
  return { world, metrics, config, look, settings, timeZone: config.business.timeZone };
}

type Rooms = {
  readonly rooms: readonly Room[];
  readonly openDoor: OpenDoor;
  /** Of the first owner. Absent: there is one already, or the password was configured. */
  readonly generatedPassword: string | undefined;
};

/** Answers requests, and does the work in the background. */
export async function startServer(
  { environment, log, closing }: Started,
  peers: Peers,
  { world, metrics, config, look, settings, timeZone, ...rest }: Core & Rooms,
): Promise<void> {
  const { database, square, pools, mail } = peers;
  const { rooms, openDoor, generatedPassword } = rest;
  const { sql } = world;
  const facts = factsOf(config, settings, world.now);
  if (mail !== undefined) await beginMails({ sql, recipients: recipientsOf(mail), ...mailPartsOf(rooms) });
  const applePayDomainAssociation = await readDomainAssociation(environment.server.applePayDomainAssociation);
  const schemaMisfit = await startWatchingSchema(world, closing('work', 'watching the schema'), { look });
  let work: BackgroundWork | undefined;
  const signs: WebhookSigns = {};
  await frontendBuilt;
  const { origins, port } = await listenOnOrigins(environment.server, {
    closing,
    // Shortly before the stage ends, so that cutting off slow clients does not count as a failure.
    graceSeconds: stageEndsAtMs.work / 1000 - 0.5,
    handler: (urls, bound) =>
      createApi({
        ...{ world, facts, settings, metrics, schemaMisfit, rooms, openDoor, applePayDomainAssociation },
        exporting: pools.exporting,
        imageHost: openImageHost(environment, sql),
        origins: urls,
        throttling: throttlingOf(environment, pools.throttling),
        metricsToken: environment.server.metricsToken,
        sendsMails: mail !== undefined,
        shopMail: mail?.place.shopTo,
        webhooks: { ...webhooksOf(environment, bound), wake: () => work?.wake(), signs },
        secondsSincePolls: () => work?.secondsSincePolls() ?? 0,
        securityContact: environment.server.securityContact,
        developmentPages: environment.production ? undefined : apiPage(),
        pages: pagesOf(environment, facts, log),
      }),
  });
  announce(environment, peers, { origins, generatedPassword });
  const { url, signatureKey = '' } = webhooksOf(environment, port);
  square.simulator?.subscribe({ url, signatureKey });

  const mails = mail && mailsOf(mail, settings, origins);
  const server = {
    isSquareRefused: async () => (await metrics.squareRefused.get()).values.some(({ value }) => value === 1),
    freeDisk: () => freeDisk(environment.dataDir),
    webhooks: signs,
    isCatchingUp: () => process.uptime() < 180,
  };
  const working = { ...world, timeZone, mails, rooms, server };
  await repeatWhileAway(() => expectJobs(sql, rulesOf(working)));
  work = startBackgroundWork(working, closing, look);
  const started = { environment, variable: database.variable, checks: rooms.flatMap(({ checks = [] }) => checks) };
  void checkAtStart(world, started);
}

type Announced = Pick<Rooms, 'generatedPassword'> & { readonly origins: Origins };

/** Prints the addresses, and the first password once. */
function announce(
  { admin, production }: Environment,
  { square, mail, demo }: Peers,
  { origins, generatedPassword }: Announced,
): void {
  const { simulatorUrl } = square;
  if (simulatorUrl !== undefined) say(`Local Square is ready (test cards only): ${simulatorUrl}`);
  if (mail?.mailboxUrl !== undefined) say(`Mailbox is ready (nothing is delivered): ${mail.mailboxUrl}`);
  if (demo !== undefined) say(`Demo marketing page is ready: ${demo.show(origins.shop)}`);
  if (!production) say(`Back office is at ${origins.office}/admin`);
  if (generatedPassword !== undefined) say(`Sign in as ${admin.username} with ${generatedPassword} (shown only now)`);
  say(`Kilim is ready: ${origins.shop}`);
}

/** Avoids `process.stdout`, which waits without end for a full pipe. */
function say(line: string): void {
  lineByLine.write(`${line}\n`);
}
