import type { Cents } from '@kilim/domain/money';
import type { Bytes } from '../database/copy/bytes.ts';
import { appendByte, appendDigits, appendPadded, appendString, type TextBytes } from '../database/copy/text-bytes.ts';

// Comma-separated values by RFC 4180: quotes only where needed, CR LF after every line.

const needsQuotes = /[",\r\n]/;
/** Most cells need nothing, and pass by this one test. */
const needsAttention = /[",\r\n]|^[=+\-@\t＝＋－＠]/;
/** A spreadsheet runs a cell that begins with one of these as a formula; the last four are full-width. */
const beginsFormula = /^[=+\-@\t\r＝＋－＠]/;

/**
 * A text cell. A leading apostrophe, which a spreadsheet hides, keeps it from running the text as a
 * formula. Amounts do not pass here: they would become text.
 */
export function textCell(text: string): string {
  if (text === '' || !needsAttention.test(text)) return text;
  const harmless = beginsFormula.test(text) ? `'${text}` : text;
  return needsQuotes.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** The same rules by byte: 1 matters anywhere, 2 only at the beginning. */
const attention = new Uint8Array(256);
for (const byte of Buffer.from('",\r\n')) attention[byte] = 1;
for (const byte of Buffer.from('=+-@\t')) attention[byte] = 2;
// The first byte of the full-width characters, and of a few thousand others.
attention[0xef] = 2;

/** The same cell from bytes. A text without special characters is only copied. */
export function appendTextCell(text: TextBytes, { buffer: bytes, at, end }: Bytes): void {
  if (at === end) return;
  const { buffer, length } = text;
  let isPlain = attention[bytes[at] ?? 0] === 0;
  for (let index = at, to = length; index < end; index += 1, to += 1) {
    const byte = bytes[index] ?? 0;
    if (attention[byte] === 1) isPlain = false;
    buffer[to] = byte;
  }
  if (isPlain) text.length += end - at;
  else appendString(text, textCell(bytes.toString('utf8', at, end)));
}

const [minus, dot] = [45, 46];

/** An amount as `decimalDollars` writes it. */
export function appendDollars(text: TextBytes, amount: Cents): void {
  if (amount < 0) appendByte(text, minus);
  const absolute = Math.abs(amount);
  const dollars = Math.floor(absolute / 100);
  appendDigits(text, dollars);
  appendByte(text, dot);
  appendPadded(text, absolute - dollars * 100, 2);
}

/**
 * Joins finished cells: numbers, amounts, days, and ids of the ledger. All other text must pass
 * through `textCell`.
 */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.join(',')}\r\n`;
}
