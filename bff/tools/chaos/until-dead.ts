import { setTimeout } from 'node:timers/promises';
import type { ChaosServer } from './chaos-server.ts';

/**
 * Does it again until the server has died of it. On a busy machine it may answer 503 before it comes to the point where it is to die, and
 * then another one goes on: that is in order, and not what is looked for.
 */
export async function untilDead(server: ChaosServer, act: () => Promise<void>): Promise<void> {
  for (let tries = 1; tries <= 10; tries += 1) {
    await act();
    if (await Promise.race([server.ended.then(() => true), setTimeout(1000, false)])) return;
  }
  throw new Error(`Nobody came to the point.\n${server.output().slice(-3000)}`);
}
