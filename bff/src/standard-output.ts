import { writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

const standardOutput = 1;
const pauseMs = 20;
const nobody = new Int32Array(new SharedArrayBuffer(4));

/**
 * Writes each line at once, so that what was logged last is there when the process dies. A reader that is slow is waited for; when
 * there is none any more, lines are dropped: pino's own destination (sonic-boom 4.2.1) would try for ever, and the process could not end.
 */
export const lineByLine: DestinationStream = {
  write: (line) => {
    let rest = Buffer.from(line);
    while (rest.length > 0) {
      try {
        rest = rest.subarray(writeSync(standardOutput, rest));
      } catch (error) {
        if (!isBusy(error)) return;
        Atomics.wait(nobody, 0, 0, pauseMs);
      }
    }
  },
};

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EAGAIN' || error.code === 'EBUSY');
}
