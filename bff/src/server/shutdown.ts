import { setTimeout } from 'node:timers/promises';
import { tooLate, withinMs } from './deadline.ts';
import type { Logger } from './logger.ts';
import type { Closing } from './start-peers.ts';

/**
 * In this order, those of one stage at the same time. `work` is what serves requests and runs in the background, `connections` are what
 * the work needs, `peers` are the servers that this process started.
 */
const stages = ['work', 'connections', 'peers'] as const;
export type Stage = (typeof stages)[number];

export type Shutdown = {
  /** How something that was started is closed. `what` is for the log: 'the HTTP server'. */
  readonly closing: (stage: Stage, what: string) => Closing;
  readonly isStopping: () => boolean;
  /** Closes everything and ends the process. Asking again changes nothing. */
  readonly stop: (exitCode: number) => Promise<never>;
};

/**
 * When each stage is left, in milliseconds since the stop began, whether or not everything in it is closed. Orchestrators kill after ten
 * seconds: the rest is a margin for a busy machine.
 */
export const stageEndsAtMs: Readonly<Record<Stage, number>> = { work: 6500, connections: 7500, peers: 8500 };

type Closer = { readonly stage: Stage; readonly what: string; readonly close: () => Promise<unknown> };

/** Ends the process within ten seconds, even when a closer never ends. */
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
    log.fatal({ open: [...open], threads: threadsInUse() }, 'the process is ended before everything was closed');
    return exitAtOnce();
  };
  return {
    closing: (stage, what) => (close_) => {
      const closer = { stage, what, close: close_ };
      // The start went on while the process was stopping.
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

/** Name look-ups and file accesses that have not ended: each has a thread. */
function threadsInUse(): readonly string[] {
  return process.getActiveResourcesInfo().filter((name) => /^(GetAddrInfo|GetNameInfo|FSReq)/.test(name));
}

/** `process.exit` joins the threads of libuv: with a name server or a disk that does not answer, it never returns. */
function exitAtOnce(): never {
  if (threadsInUse().length > 0) process.kill(process.pid, 'SIGKILL');
  process.exit(1);
}
