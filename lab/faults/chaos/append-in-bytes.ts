import type { OrderEvent } from '@kilim/domain/order/events';

/** The type of an append's last event names it. */
export type AppendName = OrderEvent['type'];

/**
 * Whether bytes for PostgreSQL hold the Bind message of this append, whose event types are one text parameter, one type
 * a line. The bytes must begin with a message, which is how postgres.js sends them.
 */
export function holdsAppend(bytes: Buffer, name: AppendName): boolean {
  if (!bytes.includes(name)) return false;
  for (let at = 0; at + 5 <= bytes.length; ) {
    const end = at + 1 + bytes.readInt32BE(at + 1);
    if (end <= at + 1 || end > bytes.length) return false;
    if (bytes[at] === bindMessage && parametersOf(bytes.subarray(at + 5, end)).some((text) => endsWith(text, name))) {
      return true;
    }
    at = end;
  }
  return false;
}

const bindMessage = 'B'.charCodeAt(0);

function endsWith(text: string, name: AppendName): boolean {
  const lines = text.split('\n');
  return lines.at(-1) === name && lines.every((line) => /^[A-Z][A-Za-z]+$/.test(line));
}

/** Portal, statement, parameter formats, parameters with their lengths. */
function parametersOf(bind: Buffer): readonly string[] {
  const statement = bind.indexOf(0) + 1;
  let at = bind.indexOf(0, statement) + 1;
  at += 2 + 2 * bind.readInt16BE(at);
  const count = bind.readInt16BE(at);
  at += 2;
  const texts: string[] = [];
  for (let parameter = 0; parameter < count; parameter += 1) {
    const length = bind.readInt32BE(at);
    at += 4;
    if (length < 0) continue;
    texts.push(bind.toString('utf8', at, at + length));
    at += length;
  }
  return texts;
}
