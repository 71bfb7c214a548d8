import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { reachable } from '../../bff/src/start/listen.ts';
import { createApp } from './app.ts';
import { createCardFaults } from './card-faults.ts';
import type { Controls } from './control-routes.ts';
import { createFaults, type FaultInput, faultSchema, type SetFault } from './faults.ts';
import { startOutbox, type Webhook } from './outbox.ts';
import { startAlarm } from './passage-of-time.ts';
import { createRequestLog, type RequestLogEntry } from './request-log.ts';
import { openStore } from './store.ts';
import { createClock, defaultSettings, type Identity, type Settings, type World } from './world.ts';

export type SimulatorOptions = Identity & {
  /** 0 picks a free port. */
  readonly port: number;
  readonly host: string;
  /** For browsers, in the receipt's link. */
  readonly publicUrl?: string | undefined;
  /** Keeps the state between starts; absent: memory only. */
  readonly dataFile?: string | undefined;
  /** Without it events wait for `subscribe`. */
  readonly webhook?: Webhook | undefined;
  readonly settings?: Partial<Settings>;
  readonly log?: (entry: RequestLogEntry) => void;
};

export type Simulator = {
  readonly url: string;
  readonly port: number;
  /** For a caller that learns its own address only later. */
  readonly subscribe: (webhook: Webhook) => void;
  readonly setFault: (fault: FaultInput) => SetFault;
  readonly faults: () => readonly SetFault[];
  readonly close: () => Promise<void>;
};

/**
 * The API, the browser script and the controls under /__sim.
 * @throws Error in production, or when the port is taken.
 */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { NODE_ENV } = process.env;
  if (NODE_ENV === 'production') {
    throw new Error('The local Square never runs in production: set SQUARE_ENVIRONMENT to sandbox or production.');
  }
  let url = '';
  const world: World = {
    identity: options,
    store: openStore(options.dataFile),
    faults: createFaults(),
    clock: createClock(),
    settings: settingsOf(options.settings),
    address: () => options.publicUrl ?? url,
  };
  const controls = createControls(world, options);
  const { outbox, alarm } = controls;
  const app = createApp(controls);
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  const port = await listen(server, options);
  url = `http://${reachable(options.host)}:${port}`;
  return {
    url,
    port,
    subscribe: outbox.subscribe,
    setFault: (fault) => world.faults.add(faultSchema.parse(fault)),
    faults: world.faults.list,
    close: async () => {
      alarm.stop();
      outbox.stop();
      await closeServer(server);
      world.store.close();
    },
  };
}

/** Its lists are late, unless a test cannot wait for them. */
function settingsOf(chosen: Partial<Settings> = {}): Settings {
  const settings = { ...defaultSettings, ...chosen };
  return settings.hostile ? { ...settings, listLagMs: chosen.listLagMs ?? 2000 } : settings;
}

function createControls(world: World, { webhook, log, settings }: SimulatorOptions): Controls {
  const parts = {
    cardFaults: createCardFaults(world),
    outbox: startOutbox(world, webhook),
    alarm: startAlarm(world),
    requests: createRequestLog(log),
  };
  const reset = () => {
    parts.outbox.forget();
    parts.cardFaults.forget();
    parts.requests.clear();
    world.faults.clear();
    world.clock.reset();
    world.store.reset();
    Object.assign(world.settings, settingsOf(settings));
  };
  return { world, ...parts, reset };
}

function listen(server: Server, { port, host }: SimulatorOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

/** A hanging request would keep the server open. */
function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
