export type Turns = {
  /** @param bytes whole messages of a client. */
  readonly write: (bytes: Buffer, written?: Written) => boolean;
  readonly received: (bytes: Buffer) => void;
};

type Written = (error?: Error | null) => void;
type Part = { readonly bytes: Buffer; readonly written: Written | undefined };

/**
 * Holds each statement until the server is ready after the one before. PgBouncer before 1.21 gives its connection away
 * as soon as one statement has ended. If the next statement's Sync has not arrived then, its answer is lost.
 */
export function createTurns(send: (bytes: Buffer, written?: Written) => boolean): Turns {
  const held: Part[] = [];
  const readyMessages = createReadyCounter();
  let isWaiting = false;
  const sendHeld = () => {
    let isFlowing = true;
    while (!isWaiting) {
      const part = held.shift();
      if (part === undefined) break;
      isWaiting = endsTurn(part.bytes);
      isFlowing = send(part.bytes, part.written);
    }
    return isFlowing;
  };
  return {
    write: (bytes, written) => {
      // The data of a copy belong to the statement that the server is executing.
      if (isWaiting && isCopy(bytes)) return send(bytes, written);
      const parts = splitTurns(bytes);
      held.push(...parts.map((part, at) => ({ bytes: part, written: at === parts.length - 1 ? written : undefined })));
      return sendHeld();
    },
    received: (bytes) => {
      if (readyMessages(bytes) === 0) return;
      isWaiting = false;
      sendHeld();
    },
  };
}

const query = 0x51;
const sync = 0x53;
/** CopyData, CopyDone and CopyFail. */
const copies: ReadonlySet<number | undefined> = new Set([0x64, 0x63, 0x66]);

function isCopy(bytes: Buffer): boolean {
  return copies.has(bytes[0]);
}

function asksForReady(type: number | undefined): boolean {
  return type === query || type === sync;
}

function splitTurns(bytes: Buffer): readonly Buffer[] {
  const parts: Buffer[] = [];
  let start = 0;
  for (let at = 0; at + 5 <= bytes.length; ) {
    const end = at + 1 + bytes.readInt32BE(at + 1);
    if (asksForReady(bytes[at])) {
      parts.push(bytes.subarray(start, end));
      start = end;
    }
    at = end;
  }
  return start < bytes.length ? [...parts, bytes.subarray(start)] : parts;
}

function endsTurn(bytes: Buffer): boolean {
  let last: number | undefined;
  for (let at = 0; at + 5 <= bytes.length; at += 1 + bytes.readInt32BE(at + 1)) last = bytes[at];
  return asksForReady(last);
}

const readyForQuery = 0x5a;

function createReadyCounter(): (bytes: Buffer) => number {
  let header = Buffer.alloc(0);
  let bodyLeft = 0;
  return (bytes) => {
    let ready = 0;
    for (let at = 0; at < bytes.length; ) {
      const skipped = Math.min(bodyLeft, bytes.length - at);
      bodyLeft -= skipped;
      at += skipped;
      const taken = bytes.subarray(at, at + 5 - header.length);
      at += taken.length;
      header = Buffer.concat([header, taken]);
      if (header.length < 5) continue;
      if (header[0] === readyForQuery) ready += 1;
      bodyLeft = header.readInt32BE(1) - 4;
      header = Buffer.alloc(0);
    }
    return ready;
  };
}
