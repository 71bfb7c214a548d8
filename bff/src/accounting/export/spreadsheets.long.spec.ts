import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeAdministrator, openBrowser } from '@kilim/lab/testing/administrator';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { settled } from '@kilim/lab/testing/settled';
import { openShop } from '@kilim/lab/testing/shop';
import { monthOfSixtyOrders } from '@kilim/lab/testing/sixty-orders/plan';
import { recordMonth } from '@kilim/lab/testing/sixty-orders/record';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exportFormats } from '../../../contract/exports.ts';

// A CSV file that is opened and saved in a spreadsheet keeps its rows, columns, texts and cents.

/** Debian's package libreoffice-calc. */
const program = 'soffice';
const formats = exportFormats.filter((format) => format !== 'jsonl');

describe.skipIf(!hasLibreOffice())('LibreOffice', async () => {
  const { appSql, ownerSql } = await testDatabase();
  const shop = await openShop(appSql);
  const folder = await mkdtemp(join(tmpdir(), 'kilim-spreadsheets-'));
  afterAll(async () => {
    await shop.close();
    await rm(folder, { recursive: true });
  });

  beforeAll(async () => {
    await makeAdministrator(appSql);
    const browser = openBrowser(shop);
    await browser.signIn();
    await recordMonth(appSql, monthOfSixtyOrders, 0);
    await settled(ownerSql);
    for (const format of formats) {
      const answer = await browser.get(`/api/admin/ledger/export?format=${format}&from=2025-11-01&to=2025-11-30`);
      expect(answer.status, await answer.clone().text()).toBe(200);
      await writeFile(join(folder, `${format}.csv`), await answer.text());
    }
    const files = (await readdir(folder)).map((name) => join(folder, name));
    convert(files, 'xlsx', join(folder, 'opened'));
    const opened = await readdir(join(folder, 'opened'));
    convert(
      opened.map((name) => join(folder, 'opened', name)),
      'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false',
      join(folder, 'saved'),
    );
  }, 180_000);

  test.each(formats)('opens and saves %s without a change', async (format) => {
    const before = cellsOf(await readFile(join(folder, `${format}.csv`), 'utf8'));
    const saved = await readFile(join(folder, 'saved', `${format}.csv`), 'utf8');
    expect(cellsOf(saved)).toEqual(before);
    expect(before.length).toBeGreaterThan(1);
    // Amounts are numbers, which a spreadsheet writes without trailing zeros.
    expect(saved).not.toMatch(/,-?\d+\.\d?0(,|\r?\n)/);
  });

  /** Commas, quotes and UTF-8, all columns as they come. */
  function convert(files: readonly string[], format: string, outdir: string): void {
    const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile')).href}`;
    const reading = '--infilter=CSV:44,34,76,1';
    execFileSync(program, [profile, '--headless', reading, '--convert-to', format, '--outdir', outdir, ...files], {
      stdio: 'pipe',
    });
  }
});

function hasLibreOffice(): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}

/** 10.50 and 10.5 are the same amount. */
function cellsOf(text: string): readonly (readonly string[])[] {
  return text
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => (line.match(/("([^"]|"")*"|[^,]*)(,|$)/g) ?? []).map((cell) => meaningOf(cell.replace(/,$/, ''))));
}

function meaningOf(cell: string): string {
  const text = cell.replace(/^"(.*)"$/s, '$1');
  if (/^-?\d+(\.\d+)?$/.test(text)) return String(Number(text));
  return text;
}
