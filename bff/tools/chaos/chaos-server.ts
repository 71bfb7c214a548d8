import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type ChildServer, startChildServer } from '../../testing/child-server.ts';
import { freeze, type Thaw } from './freeze.ts';
import { type Act, type Changes, changesVariable, type FaultPoint, type Order, type Word } from './points.ts';

/** The real server as a process of its own, which does at the points what it is told to. */
export type ChaosServer = ChildServer & {
  readonly isAlive: () => boolean;
  /** The next so many passings of the point, once only by default. */
  readonly arm: (point: FaultPoint, act: Act, times?: number) => Promise<void>;
  readonly disarm: () => Promise<void>;
  /** Lets go on what is held. */
  readonly release: () => Promise<void>;
  /** Settles when the armed point is reached. */
  readonly reached: (point: FaultPoint) => Promise<void>;
  /** Stops the process until it is thawed. It obeys orders that it gets in between once it is thawed. */
  readonly freeze: () => void;
  readonly thaw: () => void;
  readonly isFrozen: () => boolean;
};

const loader = fileURLToPath(new URL('./loader.ts', import.meta.url));
const reachedWithinMs = 30_000;

export async function startChaosServer(
  variables: Readonly<Record<string, string>>,
  changes: Partial<Changes> = {},
): Promise<ChaosServer> {
  const server = await startChildServer(
    { LOG_LEVEL: 'trace', ...wideLimits, ...variables, [changesVariable]: JSON.stringify(changes) },
    { loaders: [loader] },
  );
  let alive = true;
  let thaw: Thaw | undefined;
  const give = obedience(server, () => thaw !== undefined);
  const passed: FaultPoint[] = [];
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const look of waiting) look();
  };
  server.process.on('message', (word: Word) => {
    if (word.type === 'reached') passed.push(word.point);
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
      // Whoever waits for it waits for this time, not for one that an earlier test did not look at.
      while (passed.includes(point)) passed.splice(passed.indexOf(point), 1);
      return give({ type: 'arm', point, act, times });
    },
    disarm: () => give({ type: 'disarm' }),
    release: () => give({ type: 'release' }),
    reached: (point) =>
      new Promise((reached, missed) => {
        const impatience = globalThis.setTimeout(() => {
          waiting.delete(look);
          missed(new Error(`Nobody came ${point} within ${reachedWithinMs} ms.\n${server.output().slice(-3000)}`));
        }, reachedWithinMs);
        const look = () => {
          const at = passed.indexOf(point);
          if (at === -1) return;
          passed.splice(at, 1);
          clearTimeout(impatience);
          waiting.delete(look);
          reached();
        };
        waiting.add(look);
        look();
      }),
  };
}

/** Waits until an order is obeyed. A server that is gone obeys every order, and one that is frozen will. */
function obedience(server: ChildServer, isFrozen: () => boolean): (order: Order) => Promise<void> {
  let orders = 0;
  return async (order) => {
    orders += 1;
    const number = orders;
    let isObeyed = false;
    const listen = (word: Word) => {
      if (word.type === 'obeyed' && word.number === number) isObeyed = true;
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

/** No test meets a limit by accident: they have tests of their own. */
const wideLimits = { THROTTLE_FACTOR: '1000000', DECLINES_PER_HOUR: '10000', DEMO_PARENT_PORT: '0' };
