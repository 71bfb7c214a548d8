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

/** Cells that are ready: numbers, amounts, days and ids of ours as they are, all other text through `textCell`. */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.join(',')}\r\n`;
}
