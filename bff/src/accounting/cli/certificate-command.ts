import { parseArgs } from 'node:util';
import { parseDay } from '@kilim/domain/day';
import type { ExitCode, LedgerCommand, LedgerWorld } from '../../core/cli/command.ts';
import { readBooks } from '../../core/ledger/read.ts';
import { certificateText } from '../queries/certificate-text.ts';
import { readCertificate } from '../queries/read-certificate.ts';

export const certificateCommand: LedgerCommand = {
  usage: `certificate --through <day>
  Prints the certificate of the closing in force through this day as text.`,
  run: printCertificate,
};

async function printCertificate({ sql, terminal }: LedgerWorld, args: readonly string[]): Promise<ExitCode> {
  const { values } = parseArgs({ args: [...args], options: { through: { type: 'string' } } });
  const through = parseDay(values.through ?? '');
  if (through === undefined) throw new Error('--through must be a day like 2026-10-31.');
  const closing = (await readBooks(sql)).closings.find((known) => known.through === through);
  if (closing === undefined) throw new Error(`No closing in force ends on ${through}.`);
  const certificate = await readCertificate(sql, closing.version);
  if (certificate === undefined) throw new Error('The certificate is not made yet. A running server makes it.');
  terminal.say(certificateText(certificate));
  return 0;
}
