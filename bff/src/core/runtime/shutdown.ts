import { setTimeout } from 'node:timers/promises';
import { tooLate, withinMs } from './deadline.ts';
import type { Logger } from './logger.ts';

/** Registers how to close a resource. */
export type Closing = (close: () => Promise<unknown>) => void;

/**
 * Stages close one after the other, the resources of a stage together. `connections` are what the work needs. `peers`
 * are servers that this process started.
 */
const stages = ['work', 'connections', 'peers'] as const;
export type Stage = (typeof stages)[number];

export type Shutdown = {
  /** `what` is for the log: 'the HTTP server'. */
  readonly closing: (stage: Stage, what: string) => Closing;
  readonly isStopping: () => boolean;
  /** Later calls have no effect. */
  readonly stop: (exitCode: number) => Promise<never>;
};

/** In milliseconds since the stop began. Orchestrators kill a process after ten seconds; the rest is a margin. */
export const stageEndsAtMs: Readonly<Record<Stage, number>> = { work: 6500, connections: 7500, peers: 8500 };

type Closer = { readonly stage: Stage; readonly what: string; readonly close: () => Promise<unknown> };

/** Even when a resource never closes. */
export function createShutdown(log: Logger): Shutdown {
  const closers: Closer[] = [];
  const open = new Set<string>();
  let stopping: Promise<never> | undefined;

  const close = async ({ what, close }: Closer) => {
    open.add(what);
    try {
      await close();
    } catch (error) {
      log.error({ err: error, what }, 'closing failed');
    }
    open.delete(what);
  };
  const closeAll = async (exitCode: number): Promise<never> => {
    const began = performance.now();
    const leftOf = (stage: Stage) => Math.max(0, stageEndsAtMs[stage] - (performance.now() - began));
    for (const stage of stages) {
      const closing = closers.filter((closer) => closer.stage === stage).map(close);
      await withinMs(leftOf(stage), Promise.all(closing)).catch(() =>
        log.warn({ stage, open: [...open], code: tooLate }, 'closing takes too long'),
      );
    }
    while (threadsInUse().length > 0 && leftOf('peers') > 0) await setTimeout(20);
    if (open.size === 0 && threadsInUse().length === 0) process.exit(exitCode);
    log.fatal({ open: [...open], threads: threadsInUse() }, 'exiting before everything was closed');
    return forceExit();
  };
  return {
    closing: (stage, what) => (close_) => {
      const closer = { stage, what, close: close_ };
      // The start was still running when the stop began.
      if (stopping !== undefined) void close(closer);
      else closers.push(closer);
    },
    isStopping: () => stopping !== undefined,
    stop: (exitCode) => {
      stopping ??= closeAll(exitCode);
      return stopping;
    },
  };
}

/** Each occupies a thread. */
function threadsInUse(): readonly string[] {
  return process.getActiveResourcesInfo().filter((name) => /^(GetAddrInfo|GetNameInfo|FSReq)/.test(name));
}

/** `process.exit` joins libuv's threads, so it never returns while a disk or DNS server hangs. */
function forceExit(): never {
  if (threadsInUse().length > 0) process.kill(process.pid, 'SIGKILL');
  process.exit(1);
}
