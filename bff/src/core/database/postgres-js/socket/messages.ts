import postgres from 'postgres';
import { faultOf } from './network-fault.ts';

// A message is its type (one byte), its length (four bytes, which count themselves) and its body. A client's first
// message has no type, so it begins with a zero byte.

/**
 * postgres.js 3.4.9 buffers a message of up to 1024 bytes for the next turn. If a connection closes in between, it
 * never writes the next connection's first message. The socket removes the padding before the server sees it.
 */
export const startupPadding = { kilim_padding: ' '.repeat(1024) };

const padding = Buffer.from(`kilim_padding\0${startupPadding.kilim_padding}\0`);

/** Without the padding, and without messages that were buffered for the last connection. */
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

/** Undefined while the server works. */
export function readyFor(received: Buffer): 'any' | 'transaction' | undefined {
  const at = received.length - 6;
  if (at < 0 || received[at] !== 0x5a || received.readInt32BE(at + 1) !== 5) return undefined;
  return received[at + 5] === 0x49 ? 'any' : 'transaction';
}

export type Session = { readonly key: string; readonly parameters: ReadonlyMap<string, string> };

/** @param received all bytes from the start of the connection to the first ReadyForQuery. */
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

/**
 * PostgreSQL reports both at the start of a session, but PgBouncer passes on reports from before a failover, and a
 * standby does not report that it cannot write.
 */
export const kindQuery = query(`
  select case when pg_catalog.pg_is_in_recovery() then 'on' else 'off' end,
    pg_catalog.current_setting('transaction_read_only')`);

function query(text: string): Buffer {
  const message = Buffer.from(`Q\0\0\0\0${text}\0`);
  message.writeInt32BE(message.length - 1, 1);
  return message;
}

export const readyBytes = 6;

/** @returns undefined when the server answered with an error. */
export function kindReports(answer: Buffer): Buffer | undefined {
  for (let at = 0; at + 5 <= answer.length; at += 1 + answer.readInt32BE(at + 1)) {
    if (answer[at] !== 0x44) continue;
    const isStandbyBytes = answer.readInt32BE(at + 7);
    const isStandby = answer.toString('utf8', at + 11, at + 11 + isStandbyBytes);
    const isReadOnly = answer.toString('utf8', at + 15 + isStandbyBytes, at + 1 + answer.readInt32BE(at + 1));
    return Buffer.concat([report('in_hot_standby', isStandby), report('default_transaction_read_only', isReadOnly)]);
  }
  return undefined;
}

function report(name: string, value: string): Buffer {
  const message = Buffer.from(`S\0\0\0\0${name}\0${value}\0`);
  message.writeInt32BE(message.length - 1, 1);
  return message;
}

export function sessionKey({ pid, secret }: { readonly pid: number; readonly secret: number }): string {
  return `${pid}:${secret}`;
}

export type EndingError = { readonly before: Buffer; readonly error: Error };

/** postgres.js 3.4.9 would report a session's ending error to the next connection's first statement. */
export function endingError(received: Buffer): EndingError | undefined {
  const end = received.length;
  if (end < 16 || received[end - 1] !== 0 || received[end - 2] !== 0) return undefined;
  const severity = Math.max(received.lastIndexOf('\0VFATAL\0'), received.lastIndexOf('\0VPANIC\0'));
  // The localised severity, with which the message begins.
  for (let start = severity - 6; start >= Math.max(0, severity - 64); start -= 1) {
    if (received[start] !== 0x45 || received[start + 5] !== 0x53) continue;
    if (received.readInt32BE(start + 1) !== end - start - 1) continue;
    return { before: received.subarray(0, start), error: postgresError(received.subarray(start + 5)) };
  }
  return undefined;
}

/** The last field of an error message: the place in PostgreSQL's source that raised it. */
const routinesOfInvalidStatements = ['RevalidateCachedQuery', 'FetchPreparedStatement'].map((routine) =>
  Buffer.from(`\0R${routine}\0\0`),
);

/**
 * The prepared statement is no longer valid. postgres.js 3.4.9 would send it again with twice serialized parameters,
 * and between other messages, whose answers then reach the wrong callers. So the connection has to end.
 */
export function invalidStatementError(received: Buffer): EndingError | undefined {
  for (const routine of routinesOfInvalidStatements) {
    const found = received.indexOf(routine);
    const end = found + routine.length;
    for (let start = found - 6; start >= Math.max(0, found - longestErrorBytes); start -= 1) {
      if (received[start] !== 0x45 || received.readInt32BE(start + 1) !== end - start - 1) continue;
      const message = 'A prepared statement is no longer valid, because the schema has changed';
      return { before: received.subarray(0, start), error: faultOf('ECONNRESET', message) };
    }
  }
  return undefined;
}

const longestErrorBytes = 4096;

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
  // The types do not declare this constructor.
  const PostgresError = postgres.PostgresError as unknown as new (fields: object) => Error;
  return new PostgresError(Object.fromEntries(fields) as object);
}
