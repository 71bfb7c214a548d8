import type { Logger } from '../runtime/logger.ts';

export type Pieces = AsyncGenerator<string, void>;

export type StreamOptions = {
  readonly log: Logger;
  readonly requestId: string;
  /** How long a client may read nothing before the export ends. */
  readonly stalledAfterMs: number;
};

/** The head comes with the first piece, so that an early failure is an error, not an empty file. */
export async function* headed(head: string, pieces: Iterable<string> | Pieces): Pieces {
  let isFirst = true;
  for await (const piece of pieces) {
    if (isFirst && head !== '') yield head;
    isFirst = false;
    yield piece;
  }
  if (isFirst && head !== '') yield head;
}

export type BegunExport = { readonly first: IteratorResult<string, void>; readonly rest: Pieces };

/**
 * Reads at most one piece ahead. A client that disconnects, or reads nothing for too long, ends the reading and frees
 * its connection.
 */
export function streamOf(
  { first, rest }: BegunExport,
  { log, requestId, stalledAfterMs }: StreamOptions,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let begun: typeof first | undefined = first;
  let stalled: NodeJS.Timeout | undefined;
  const stop = async () => {
    clearTimeout(stalled);
    await rest.return();
  };
  const fail = (controller: ReadableStreamDefaultController<Uint8Array>, error: unknown) => {
    log.error({ err: error, requestId }, 'an export was cut off');
    controller.error(error);
  };
  const watch = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    stalled = setTimeout(() => {
      fail(controller, new Error('The client took nothing for too long'));
      stop().catch((error: unknown) => log.error({ err: error, requestId }, 'an export could not be ended'));
    }, stalledAfterMs);
  };
  return new ReadableStream<Uint8Array>(
    {
      // The answer to HEAD is never read.
      start: watch,
      pull: async (controller) => {
        clearTimeout(stalled);
        try {
          const piece = begun ?? (await rest.next());
          begun = undefined;
          if (piece.done === true) return controller.close();
          controller.enqueue(encoder.encode(piece.value));
        } catch (error) {
          return fail(controller, error);
        }
        watch(controller);
      },
      cancel: stop,
    },
    // Read nothing until the client reads the body.
    { highWaterMark: 0 },
  );
}
