import { repeat as realRepeat } from '../../../../bff/src/core/background/repeat.ts';
import { changes } from '../inside.ts';

export * from '../../../../bff/src/core/background/repeat.ts';

/** With a shorter interval; or no worker. */
export function repeat(...[log, work]: Parameters<typeof realRepeat>): ReturnType<typeof realRepeat> {
  if (changes.hurry === 0) return { wake: () => undefined, secondsSinceRound: () => 0, stop: async () => undefined };
  return realRepeat(log, { ...work, everySeconds: work.everySeconds / changes.hurry });
}
