/** A row of a binary COPY, and where in it the next value begins: with its length, and then its bytes. */
export type CopiedRow = { readonly bytes: Buffer; at: number };

/** @throws when the row does not have so many columns. */
export function openRow(bytes: Buffer, columns: number): CopiedRow {
  if (bytes.readInt16BE(0) !== columns) throw new Error('PostgreSQL sent a row with other columns than were asked for');
  return { bytes, at: 2 };
}

/** How long the next value is, which `row.at` is then the place of. Nothing is -1 in the row, and here as long as an empty text. */
export function readLength(row: CopiedRow): number {
  const length = row.bytes.readInt32BE(row.at);
  row.at += 4;
  return Math.max(length, 0);
}

/** A `smallint`, `integer`, `bigint` or `xid8`, or an instant in microseconds since the year 2000. Beyond 2^53 it is not exact. */
export function readInteger(row: CopiedRow): number | null {
  const length = readLength(row);
  const { bytes, at } = row;
  row.at += length;
  if (length === 8) return bytes.readInt32BE(at) * 2 ** 32 + bytes.readUInt32BE(at + 4);
  if (length === 4) return bytes.readInt32BE(at);
  return length === 2 ? bytes.readInt16BE(at) : null;
}

/** Bytes as characters, one for each: for what is known to be ASCII, and for bytes that are only kept and compared. */
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
