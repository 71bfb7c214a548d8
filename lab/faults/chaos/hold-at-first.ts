import type { ChaosServer } from './chaos-server.ts';
import type { FaultPoint } from './points.ts';

export type Hold = {
  /** Resolves when a server is held. */
  readonly reached: Promise<void>;
  /** Lets the server continue, and holds none after it. */
  readonly release: () => Promise<void>;
};

/**
 * Holds whichever server reaches the point first. On a busy machine the server that was asked may answer 503 before it.
 * Another server then continues, which is correct.
 */
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
