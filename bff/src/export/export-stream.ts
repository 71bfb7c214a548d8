import type { Logger } from '../server/logger.ts';
import type { Pieces } from './kinds.ts';

export type StreamOptions = {
  readonly log: Logger;
  readonly requestId: string;
  /** How long a client may read nothing before the export ends. */
  readonly stalledAfterMs: number;
};

/**
 * The body of an answer. It reads at most one piece ahead of the client. A client that disconnects,
 * or reads nothing for too long, ends the reading and frees its connection.
 */
export function streamOf(
  pieces: Pieces,
  { log, requestId, stalledAfterMs }: StreamOptions,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let stalled: NodeJS.Timeout | undefined;
  const stop = async () => {
    clearTimeout(stalled);
    await pieces.return();
  };
  const fail = (controller: ReadableStreamDefaultController<Uint8Array>, error: unknown) => {
    log.error({ err: error, requestId }, 'an export was cut off');
    controller.error(error);
  };
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        clearTimeout(stalled);
        try {
          const piece = await pieces.next();
          if (piece.done === true) return controller.close();
          controller.enqueue(typeof piece.value === 'string' ? encoder.encode(piece.value) : piece.value);
        } catch (error) {
          return fail(controller, error);
        }
        stalled = setTimeout(() => {
          fail(controller, new Error('The client took nothing for too long'));
          stop().catch((error: unknown) => log.error({ err: error, requestId }, 'an export could not be ended'));
        }, stalledAfterMs);
      },
      cancel: stop,
    },
    // Read nothing until the client reads the body.
    { highWaterMark: 0 },
  );
}
