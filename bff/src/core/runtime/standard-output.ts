import { writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

// The first use of `process.stdout` makes a pipe non-blocking. A blocking write to a full pipe
// would hang the process.
const standardOutput = process.stdout.fd;
const pauseMs = 20;
/** For a slow reader. Time without waiting restores the budget. */
const mostWaitingMs = 1000;
/** Nothing wakes a wait on this cell. */
const sleepCell = new Int32Array(new SharedArrayBuffer(4));

export type LineWriterOptions = {
  /**
   * @returns how many bytes were written. @throws an error with the code `EAGAIN` when the pipe is
   * full.
   */
  readonly take: (bytes: Uint8Array) => number;
  readonly waitMs: (ms: number) => void;
  readonly nowMs: () => number;
};

/**
 * Writes each line before the call returns, so that the last one survives a crash. Waits at most a second for a slow
 * reader. Then lines are dropped until the pipe has room again: pino's own destination (sonic-boom 4.2.1) would retry
 * for ever.
 */
export function createLineWriter({ take, waitMs, nowMs }: LineWriterOptions): DestinationStream {
  /** Written first, so that lines stay whole. */
  let rest: Uint8Array = new Uint8Array();
  let dropped = 0;
  let waitBudgetMs = mostWaitingMs;
  let waitedAt = nowMs();

  /** @returns the bytes that were not written. */
  const push = (bytes: Uint8Array, mayWait: boolean): Uint8Array => {
    let left = bytes;
    while (left.length > 0) {
      try {
        left = left.subarray(take(left));
      } catch (error) {
        if (!isBusy(error)) return new Uint8Array();
        if (!mayWait || waitBudgetMs < pauseMs) return left;
        waitMs(pauseMs);
        waitBudgetMs -= pauseMs;
        waitedAt = nowMs();
      }
    }
    return left;
  };
  const write = (line: string) => {
    waitBudgetMs = Math.min(mostWaitingMs, waitBudgetMs + nowMs() - waitedAt);
    waitedAt = nowMs();
    // The process has waited long enough.
    rest = push(rest, dropped === 0);
    if (rest.length === 0 && dropped > 0) {
      const notice = Buffer.from(droppedLine(dropped));
      const left = push(notice, false);
      if (left.length < notice.length) {
        rest = left;
        dropped = 0;
      }
    }
    const bytes = Buffer.from(line);
    const left = rest.length > 0 || dropped > 0 ? bytes : push(bytes, true);
    if (left.length === bytes.length) dropped += 1;
    else rest = left;
  };
  return { write };
}

function droppedLine(lines: number): string {
  const time = new Date().toISOString();
  return `${JSON.stringify({ level: 'error', time, lines, msg: 'lines were dropped because standard output was not read' })}\n`;
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EAGAIN' || error.code === 'EBUSY');
}

export const lineByLine = createLineWriter({
  take: (bytes) => writeSync(standardOutput, bytes),
  waitMs: (ms) => void Atomics.wait(sleepCell, 0, 0, ms),
  nowMs: () => performance.now(),
});
