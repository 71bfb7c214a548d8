import { fileURLToPath } from 'node:url';
import { type ChildServer, startChildServer } from '../testing/child-server.ts';
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
    wake();
  });
  return {
    ...server,
    isAlive: () => alive,
    arm: (point, act, times = 1) => {
      // Whoever waits for it waits for this time, not for one that an earlier test did not look at.
      while (passed.includes(point)) passed.splice(passed.indexOf(point), 1);
      return give(server, { type: 'arm', point, act, times });
    },
    disarm: () => give(server, { type: 'disarm' }),
    release: () => give(server, { type: 'release' }),
    reached: (point) =>
      new Promise((reached, missed) => {
        const impatience = setTimeout(() => {
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

/** A server that is gone obeys every order. */
async function give(server: ChildServer, order: Order): Promise<void> {
  const obeyed = new Promise<void>((resolve) => {
    const listen = (word: Word) => {
      if (word.type !== 'obeyed') return;
      server.process.off('message', listen);
      resolve();
    };
    server.process.on('message', listen);
  });
  if (!server.process.connected) return;
  server.process.send(order, () => undefined);
  await Promise.race([obeyed, server.ended]);
}

/** No test meets a limit by accident: they have tests of their own. */
const wideLimits = { THROTTLE_FACTOR: '1000000', DECLINES_PER_HOUR: '10000', DEMO_PARENT_PORT: '0' };
