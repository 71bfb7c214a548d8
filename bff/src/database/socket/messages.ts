import postgres from 'postgres';

// What a socket has to know of PostgreSQL's protocol 3.0. A message is its type (one byte), its length (four bytes, which count
// themselves) and its body; only the first message of a client has no type, so that it begins with a zero byte.

/**
 * Makes the StartupMessage of postgres.js long enough to be written immediately. postgres.js 3.4.9 collects up to 1024 bytes and writes
 * them in the next turn; after a connection that closed with bytes collected it forgets to, and the new one would say nothing.
 * The socket takes the padding out again, so the server never sees it.
 */
export const startupPadding = { kilim_padding: ' '.repeat(1024) };

const padding = Buffer.from(`kilim_padding\0${startupPadding.kilim_padding}\0`);

/** The first message, without the padding, and without older messages that postgres.js collected for the connection before. */
export function firstMessage(written: Buffer): Buffer {
  let start = 0;
  while (start + 5 <= written.length && written[start] !== 0) start += 1 + written.readInt32BE(start + 1);
  const message = written.subarray(start);
  const at = message.indexOf(padding);
  if (at === -1) return message;
  const shorter = Buffer.concat([message.subarray(0, at), message.subarray(at + padding.length)]);
  shorter.writeInt32BE(message.readInt32BE(0) - padding.length, 0);
  return shorter;
}

const cancelRequestCode = 80_877_102;

/** The server answers a CancelRequest by closing the connection, and nothing else. */
export function isCancelRequest(first: Buffer): boolean {
  return first.length === 16 && first.readInt32BE(4) === cancelRequestCode;
}

/** What the server is ready for: a statement outside of a transaction, or one inside. Undefined: it is still at work. */
export function readyFor(received: Buffer): 'any' | 'transaction' | undefined {
  const at = received.length - 6;
  if (at < 0 || received[at] !== 0x5a || received.readInt32BE(at + 1) !== 5) return undefined;
  return received[at + 5] === 0x49 ? 'any' : 'transaction';
}

/** What the server says of a session when it begins. */
export type Session = { readonly key: string; readonly parameters: ReadonlyMap<string, string> };

/** @param received everything from the first byte of a connection to the first time that the server is ready. */
export function readSession(received: Buffer): Session {
  const parameters = new Map<string, string>();
  let key = '';
  for (let at = 0; at + 5 <= received.length; at += 1 + received.readInt32BE(at + 1)) {
    const type = received[at];
    const body = received.subarray(at + 5, at + 1 + received.readInt32BE(at + 1));
    if (type === 0x4b) key = sessionKey({ pid: body.readUInt32BE(0), secret: body.readUInt32BE(4) });
    if (type === 0x53) {
      const [name = '', value = ''] = body.toString().split('\0');
      parameters.set(name, value);
    }
  }
  return { key, parameters };
}

export function sessionKey({ pid, secret }: { readonly pid: number; readonly secret: number }): string {
  return `${pid}:${secret}`;
}

export type LastWords = { readonly before: Buffer; readonly error: Error };

/**
 * The error with which the server ends a session, if it is the end of what was received. postgres.js 3.4.9 keeps such an error for the
 * first statement on the next connection.
 */
export function lastWords(received: Buffer): LastWords | undefined {
  const end = received.length;
  if (end < 16 || received[end - 1] !== 0 || received[end - 2] !== 0) return undefined;
  const severity = Math.max(received.lastIndexOf('\0VFATAL\0'), received.lastIndexOf('\0VPANIC\0'));
  // The severity follows the same word in the server's language, with which the message begins.
  for (let start = severity - 6; start >= Math.max(0, severity - 64); start -= 1) {
    if (received[start] !== 0x45 || received[start + 5] !== 0x53) continue;
    if (received.readInt32BE(start + 1) !== end - start - 1) continue;
    return { before: received.subarray(0, start), error: postgresError(received.subarray(start + 5)) };
  }
  return undefined;
}

const fieldNames: Readonly<Record<string, string>> = {
  S: 'severity_local',
  V: 'severity',
  C: 'code',
  M: 'message',
  D: 'detail',
  H: 'hint',
  W: 'where',
  F: 'file',
  L: 'line',
  R: 'routine',
};

function postgresError(body: Buffer): Error {
  const fields = body
    .toString()
    .split('\0')
    .flatMap((field) => {
      const name = fieldNames[field.slice(0, 1)];
      return name === undefined ? [] : [[name, field.slice(1)]];
    });
  // The types do not tell of this constructor.
  const PostgresError = postgres.PostgresError as unknown as new (fields: object) => Error;
  return new PostgresError(Object.fromEntries(fields) as object);
}
