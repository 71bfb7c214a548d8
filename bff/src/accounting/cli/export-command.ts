import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { type Day, parseDay } from '@kilim/domain/day';
import { type ExportFormat, exportFormats } from '../../../contract/exports.ts';
import type { ExitCode, LedgerCommand, LedgerWorld } from '../../core/cli/command.ts';
import { exportKinds } from '../export/kinds.ts';
import { openScope } from '../export/scope.ts';

const kinds = exportFormats.map((format) => format.replace(/-csv$/, ''));

export const exportCommand: LedgerCommand = {
  usage: `export --kind <${kinds.join('|')}> --from <day> --to <day> [--out <file>]
  Writes the same files as the page Accounting. Days like 2026-10-31 are days of the shop. --out names a file, which appears only when it
  is complete; without it everything is printed.`,
  run: exportRange,
};

async function exportRange({ timeZone, sql, terminal }: LedgerWorld, args: readonly string[]): Promise<ExitCode> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args: [...args], options: { kind: text, from: text, to: text, out: text } });
  const format = formatOf(values.kind);
  const [from, to] = [dayOf('--from', values.from), dayOf('--to', values.to)];
  if (to < from) throw new Error('--to is before --from.');
  const scope = await openScope(sql, timeZone, { from, to });
  const pieces = Readable.from(exportKinds[format].pieces(sql, { scope }));
  if (values.out === undefined) {
    await pipeline(pieces, process.stdout, { end: false });
    return 0;
  }
  const unfinished = `${values.out}.unfinished`;
  try {
    await pipeline(pieces, createWriteStream(unfinished));
    await rename(unfinished, values.out);
  } finally {
    await rm(unfinished, { force: true });
  }
  terminal.say(`Wrote ${values.out}`);
  return 0;
}

function formatOf(kind: string | undefined): ExportFormat {
  const format = exportFormats.find((known) => known === kind || known === `${kind}-csv`);
  if (format === undefined) throw new Error(`--kind must be one of ${kinds.join(', ')}.`);
  return format;
}

function dayOf(option: string, text = ''): Day {
  const day = parseDay(text);
  if (day === undefined) throw new Error(`${option} must be a day like 2026-10-31.`);
  return day;
}
