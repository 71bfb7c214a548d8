import type { Cents } from '@kilim/domain/money';
import type { Bytes } from '../database/copy/bytes.ts';
import { appendByte, appendDigits, appendPadded, appendString, type TextBytes } from '../database/copy/text-bytes.ts';

// Comma-separated values as RFC 4180 has them: quotes where they are needed, CR LF after every line.

const needsQuotes = /[",\r\n]/;
/** Most cells hold nothing of all that, and this one look at them is enough. */
const needsAttention = /[",\r\n]|^[=+\-@\t]/;
/** A spreadsheet takes a cell that begins with one of these for a formula, and runs it. */
const beginsFormula = /^[=+\-@\t\r]/;

/**
 * A cell of text. One that a spreadsheet would run begins with an apostrophe, which it takes for text and does not show. Amounts are no text:
 * an apostrophe would make one of them.
 */
export function textCell(text: string): string {
  if (text === '' || !needsAttention.test(text)) return text;
  const harmless = beginsFormula.test(text) ? `'${text}` : text;
  return needsQuotes.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** What the expressions above look for, by byte: 1 wherever it stands, 2 at the beginning. */
const attention = new Uint8Array(256);
for (const byte of Buffer.from('",\r\n')) attention[byte] = 1;
for (const byte of Buffer.from('=+-@\t')) attention[byte] = 2;

/** The same cell, written from its bytes. A text that is as it should be is only copied. */
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

/** Cells that are ready: numbers, amounts, days and ids of ours as they are, all other text through `textCell`. */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.join(',')}\r\n`;
}
