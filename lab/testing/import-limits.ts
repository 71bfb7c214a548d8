// The documented limits of QuickBooks Online (quickbooks.intuit.com, "Import journal entries") and Xero (help.xero.com,
// "Import manual journals").

type Row = Readonly<Record<string, string>>;

export function quickbooksViolations(file: string): readonly string[] {
  const { header, rows } = readCsv(file);
  const entries = Map.groupBy(rows, (row) => row['Journal No'] ?? '');
  return [
    ...unequal(header, ['Journal No', 'Journal Date', 'Account Name', 'Description', 'Debits', 'Credits']),
    ...rows.flatMap((row) => [
      ...unless(/^.{1,21}$/.test(row['Journal No'] ?? ''), row, 'a number has 1 to 21 characters'),
      ...unless(/^\d\d\/\d\d\/\d{4}$/.test(row['Journal Date'] ?? ''), row, 'a date is MM/DD/YYYY'),
      ...unless(/^\S.{0,98}\S$/.test(row['Account Name'] ?? ''), row, 'a name has at most 100 characters'),
      ...unless((row['Description'] ?? '').length <= 4000, row, 'a description has at most 4,000 characters'),
      ...unless(
        (row['Debits'] === '') !== (row['Credits'] === '') && isAmount(row['Debits'] || row['Credits'] || '', false),
        row,
        'one side has a positive amount',
      ),
    ]),
    ...[...entries].flatMap(([number, lines]) => [
      ...unless(sumOf(lines, 'Debits') === sumOf(lines, 'Credits'), { number }, 'an entry balances'),
      ...unless(new Set(lines.map((line) => line['Journal Date'])).size === 1, { number }, 'an entry has one date'),
      ...unless(areTogether(rows, lines), { number }, 'the lines of an entry follow each other'),
    ]),
  ];
}

/** @param bankCodes a manual journal cannot post to bank accounts. */
export function xeroViolations(file: string, bankCodes: readonly string[]): readonly string[] {
  const { header, rows } = readCsv(file);
  const journals = Map.groupBy(rows, (row) => `${row['*Narration']} ${row['*Date']}`);
  return [
    ...unequal(header, [
      ...['*Narration', '*Date', 'Description', '*AccountCode', '*TaxRate', '*Amount'],
      ...['TrackingName1', 'TrackingOption1', 'TrackingName2', 'TrackingOption2'],
    ]),
    ...unless(rows.length <= 300, { rows: String(rows.length) }, 'a file has at most 300 lines'),
    ...rows.flatMap((row) => [
      ...unless((row['*Narration'] ?? '') !== '', row, 'a journal has a narration'),
      ...unless(/^\d\d (?:[A-Z][a-z]{2}) \d{4}$/.test(row['*Date'] ?? ''), row, 'a date is dd mmm yyyy'),
      ...unless(/^\S{1,10}$/.test(row['*AccountCode'] ?? ''), row, 'a code has 1 to 10 characters'),
      ...unless((row['*TaxRate'] ?? '') !== '', row, 'a line has a tax rate'),
      ...unless(isAmount(row['*Amount'] ?? '', true), row, 'an amount has two decimals'),
      ...unless(!bankCodes.includes(row['*AccountCode'] ?? ''), row, 'a journal has no bank account'),
    ]),
    ...[...journals].flatMap(([narration, lines]) =>
      unless(sumOf(lines, '*Amount') === 0, { narration }, 'a journal balances'),
    ),
  ];
}

export function readCsv(file: string): { readonly header: readonly string[]; readonly rows: readonly Row[] } {
  const [first = '', ...lines] = file.trimEnd().split('\r\n');
  const cellsOf = (line: string) =>
    (line.match(/("([^"]|"")*"|[^,]*)(,|$)/g) ?? []).slice(0, header.length || undefined).map((cell) =>
      cell
        .replace(/,$/, '')
        .replace(/^"(.*)"$/s, '$1')
        .replaceAll('""', '"'),
    );
  const header: readonly string[] = first.split(',');
  const rows = lines.map((line) => {
    const cells = cellsOf(line);
    return Object.fromEntries(header.map((name, index) => [name, cells[index] ?? '']));
  });
  return { header, rows };
}

function unless(holds: boolean, where: Row, rule: string): readonly string[] {
  return holds ? [] : [`${rule}: ${JSON.stringify(where)}`];
}

function unequal(found: readonly string[], wanted: readonly string[]): readonly string[] {
  return unless(found.join() === wanted.join(), { header: found.join() }, 'the columns are those of the template');
}

function isAmount(text: string, canBeNegative: boolean): boolean {
  return (canBeNegative ? /^-?\d+\.\d\d$/ : /^\d+\.\d\d$/).test(text) && Number(text) !== 0;
}

function sumOf(rows: readonly Row[], column: string): number {
  return rows.reduce((sum, row) => sum + Math.round(Number(row[column] ?? 0) * 100), 0);
}

function areTogether(rows: readonly Row[], lines: readonly Row[]): boolean {
  const first = rows.indexOf(lines[0] ?? {});
  return lines.every((line, index) => rows[first + index] === line);
}
