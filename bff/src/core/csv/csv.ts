// RFC 4180: quotes only where needed, CR LF after every line.

const needsQuotes = /[",\r\n]/;
/** A spreadsheet runs such a cell as a formula; the last four are full-width. */
const beginsFormula = /^[=+\-@\t\r＝＋－＠]/;

/**
 * A leading apostrophe, which a spreadsheet hides, keeps the text from running as a formula. Amounts do not pass here:
 * they would become text.
 */
export function textCell(text: string): string {
  const harmless = beginsFormula.test(text) ? `'${text}` : text;
  return needsQuotes.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/**
 * Joins finished cells: numbers, amounts, days, and ids of the ledger. All other text must pass
 * through `textCell`.
 */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.join(',')}\r\n`;
}

/** Excel reads a CSV file as UTF-8 only if it begins with this character. */
export const byteOrderMark = '\uFEFF';
