import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type ChildServer, type ChildServerOptions, startChildServer } from '../../testing/child-server.ts';
import { freeze, type Thaw } from './freeze.ts';
import { type Act, type Changes, changesVariable, type FaultPoint, type Order, type Report } from './points.ts';

/** The real server in its own process, which fails at fault points as ordered. */
export type ChaosServer = ChildServer & {
  readonly isAlive: () => boolean;
  /** For so many passings; once by default. */
  readonly arm: (point: FaultPoint, act: Act, times?: number) => Promise<void>;
  readonly disarm: () => Promise<void>;
  readonly release: () => Promise<void>;
  readonly setClock: (secondsAhead: number) => Promise<void>;
  readonly reached: (point: FaultPoint) => Promise<void>;
  /** Until it is thawed; orders sent in between are obeyed then. */
  readonly freeze: () => void;
  readonly thaw: () => void;
  readonly isFrozen: () => boolean;
};

const loader = fileURLToPath(new URL('./loader.ts', import.meta.url));
const reachedWithinMs = 30_000;

export async function startChaosServer(
  variables: Readonly<Record<string, string>>,
  { root, ...changes }: Partial<Changes> & Pick<ChildServerOptions, 'root'> = {},
): Promise<ChaosServer> {
  const server = await startChildServer(
    { LOG_LEVEL: 'trace', ...wideLimits, ...variables, [changesVariable]: JSON.stringify(changes) },
    { loaders: [loader], root },
  );
  let alive = true;
  let thaw: Thaw | undefined;
  const give = orderSender(server, () => thaw !== undefined);
  const passed: FaultPoint[] = [];
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const look of waiting) look();
  };
  server.process.on('message', (report: Report) => {
    if (report.type === 'reached') passed.push(report.point);
    wake();
  });
  void server.ended.then(() => {
    alive = false;
    thaw?.();
    wake();
  });
  return {
    ...server,
    isAlive: () => alive,
    isFrozen: () => thaw !== undefined,
    freeze: () => {
      if (thaw === undefined && alive) thaw = freeze([server.process.pid ?? 0]);
    },
    thaw: () => {
      thaw?.();
      thaw = undefined;
    },
    arm: (point, act, times = 1) => {
      // A later `reached` must wait for this arming.
      while (passed.includes(point)) passed.splice(passed.indexOf(point), 1);
      return give({ type: 'arm', point, act, times });
    },
    disarm: () => give({ type: 'disarm' }),
    release: () => give({ type: 'release' }),
    setClock: (secondsAhead) => give({ type: 'clock', secondsAhead }),
    reached: (point) =>
      new Promise((reached, missed) => {
        const timeout = globalThis.setTimeout(() => {
          waiting.delete(look);
          missed(new Error(`Not reached within ${reachedWithinMs} ms: ${point}\n${server.output().slice(-3000)}`));
        }, reachedWithinMs);
        const look = () => {
          const at = passed.indexOf(point);
          if (at === -1) return;
          passed.splice(at, 1);
          clearTimeout(timeout);
          waiting.delete(look);
          reached();
        };
        waiting.add(look);
        look();
      }),
  };
}

/** Waits until the order is obeyed, but not for a dead or a frozen server. */
function orderSender(server: ChildServer, isFrozen: () => boolean): (order: Order) => Promise<void> {
  let orders = 0;
  return async (order) => {
    orders += 1;
    const number = orders;
    let isObeyed = false;
    const listen = (report: Report) => {
      if (report.type === 'obeyed' && report.number === number) isObeyed = true;
    };
    if (!server.process.connected) return;
    server.process.on('message', listen);
    server.process.send({ ...order, number }, () => undefined);
    const obeyed = async () => {
      while (!isObeyed && !isFrozen()) await setTimeout(2);
    };
    await Promise.race([obeyed(), server.ended]);
    isObeyed = true;
    server.process.off('message', listen);
  };
}

/** The throttles have tests of their own. */
const wideLimits = { THROTTLE_FACTOR: '1000000', DECLINES_PER_HOUR: '10000', DEMO_PARENT_PORT: '0' };

export type Hold = {
  readonly reached: Promise<void>;
  /** Holds none after it. */
  readonly release: () => Promise<void>;
};

/** Whichever server is first: a busy one may answer 503 before the point, and another then continues. */
export async function holdAtFirst(servers: readonly ChaosServer[], point: FaultPoint): Promise<Hold> {
  const ofAll = async (order: (server: ChaosServer) => Promise<void>) => void (await Promise.all(servers.map(order)));
  await ofAll((server) => server.arm(point, 'hold'));
  return {
    reached: Promise.any(servers.map((server) => server.reached(point))),
    release: async () => {
      await ofAll((server) => server.disarm());
      await ofAll((server) => server.release());
    },
  };
}

/** The server may answer 503 before the armed point. */
export async function untilDead(server: ChaosServer, act: () => Promise<void>): Promise<void> {
  for (let tries = 1; tries <= 10; tries += 1) {
    await act();
    if (await Promise.race([server.ended.then(() => true), setTimeout(1000, false)])) return;
  }
  throw new Error(`The server never reached the armed point.\n${server.output().slice(-3000)}`);
}
