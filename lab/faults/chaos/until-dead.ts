import { setTimeout } from 'node:timers/promises';
import type { ChaosServer } from './chaos-server.ts';

/**
 * Repeats the act until the server has died of it. On a busy machine the server may answer 503
 * before it reaches the armed point. Another server then continues, which is correct.
 */
export async function untilDead(server: ChaosServer, act: () => Promise<void>): Promise<void> {
  for (let tries = 1; tries <= 10; tries += 1) {
    await act();
    if (await Promise.race([server.ended.then(() => true), setTimeout(1000, false)])) return;
  }
  throw new Error(`The server never reached the armed point.\n${server.output().slice(-3000)}`);
}
