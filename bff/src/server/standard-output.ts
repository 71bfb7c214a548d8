import { writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

// The first use of `process.stdout` makes a pipe non-blocking: otherwise a full one would hold the process up in the kernel.
const standardOutput = process.stdout.fd;
const pauseMs = 20;
/** How long the process may stand still for a reader. What it has waited it gets back in as much time without waiting. */
const mostWaitingMs = 1000;
const never = new Int32Array(new SharedArrayBuffer(4));

export type LineWriterOptions = {
  /** @returns how many bytes were taken. @throws an error with the code `EAGAIN` when there is no room. */
  readonly take: (bytes: Uint8Array) => number;
  readonly waitMs: (ms: number) => void;
  readonly nowMs: () => number;
};

/**
 * Writes each line before the call returns, so that the last line is there when the process dies. A slow reader is waited for, but only a
 * second: then lines are dropped until there is room again, because a process that waits can neither serve nor be stopped. When there is no
 * reader any more, lines are dropped too: pino's own destination (sonic-boom 4.2.1) would try for ever.
 */
export function createLineWriter({ take, waitMs, nowMs }: LineWriterOptions): DestinationStream {
  /** The end of a line whose beginning was taken. It comes before anything else, so that lines stay whole. */
  let rest: Uint8Array = new Uint8Array();
  let dropped = 0;
  let patienceMs = mostWaitingMs;
  let waitedAt = nowMs();

  /** @returns what was not taken. */
  const push = (bytes: Uint8Array, isPatient: boolean): Uint8Array => {
    let left = bytes;
    while (left.length > 0) {
      try {
        left = left.subarray(take(left));
      } catch (error) {
        if (!isBusy(error)) return new Uint8Array();
        if (!isPatient || patienceMs < pauseMs) return left;
        waitMs(pauseMs);
        patienceMs -= pauseMs;
        waitedAt = nowMs();
      }
    }
    return left;
  };
  const write = (line: string) => {
    patienceMs = Math.min(mostWaitingMs, patienceMs + nowMs() - waitedAt);
    waitedAt = nowMs();
    // Once a line was dropped, room is only looked for: the process has waited already.
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
  waitMs: (ms) => void Atomics.wait(never, 0, 0, ms),
  nowMs: () => performance.now(),
});
