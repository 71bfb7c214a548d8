/** A row of a binary COPY; `at` is the start of the next value: its length, then its bytes. */
export type CopiedRow = { readonly bytes: Buffer; at: number };

/** @throws when the row has another number of columns. */
export function openRow(bytes: Buffer, columns: number): CopiedRow {
  if (bytes.readInt16BE(0) !== columns) throw new Error('PostgreSQL sent a row with other columns than were asked for');
  return { bytes, at: 2 };
}

/** Reads the length of the next value and moves to its bytes. Null, which is -1, counts as 0. */
export function readLength(row: CopiedRow): number {
  const length = row.bytes.readInt32BE(row.at);
  row.at += 4;
  return Math.max(length, 0);
}

/**
 * A `smallint`, `integer`, `bigint` or `xid8`, or an instant in microseconds since the year 2000.
 * It is not exact beyond 2^53.
 */
export function readInteger(row: CopiedRow): number | null {
  const length = readLength(row);
  const { bytes, at } = row;
  row.at += length;
  if (length === 8) return bytes.readInt32BE(at) * 2 ** 32 + bytes.readUInt32BE(at + 4);
  if (length === 4) return bytes.readInt32BE(at);
  return length === 2 ? bytes.readInt16BE(at) : null;
}

/** One character for each byte: for ASCII, and for bytes that are only kept and compared. */
export function readAscii(row: CopiedRow): string {
  const length = readLength(row);
  row.at += length;
  return row.bytes.toString('latin1', row.at - length, row.at);
}

export function readText(row: CopiedRow): string {
  const length = readLength(row);
  row.at += length;
  return row.bytes.toString('utf8', row.at - length, row.at);
}

export function readTextOrNothing(row: CopiedRow): string | null {
  const isNothing = row.bytes.readInt32BE(row.at) < 0;
  const text = readText(row);
  return isNothing ? null : text;
}

export function skip(row: CopiedRow): void {
  const length = readLength(row);
  row.at += length;
}
