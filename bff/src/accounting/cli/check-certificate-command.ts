import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import * as z from 'zod/mini';
import { type Certificate, certificate as certificateSchema } from '../../../contract/certificate.ts';
import { exportFormats } from '../../../contract/exports.ts';
import type { ExitCode, LedgerCommand, LedgerWorld } from '../../core/cli/command.ts';
import type { Sql } from '../../core/database/database.ts';
import { canonicalJson } from '../../core/ledger/hash.ts';
import { readBooks } from '../../core/ledger/read.ts';
import { certifyExports } from '../export/certify.ts';
import { exportEdition } from '../export/kinds.ts';
import { readCertificate } from '../queries/read-certificate.ts';

export const checkCertificateCommand: LedgerCommand = {
  usage: `check-certificate <certificate.json> [<file>...]
  Compares downloaded exports with a downloaded certificate, and the certificate with the one in the ledger. Computes the
  certificate again from the events, unless its days were reopened.`,
  run: checkCertificate,
};

type Finding = { readonly told: string; readonly isFault: boolean };

async function checkCertificate(world: LedgerWorld, args: readonly string[]): Promise<ExitCode> {
  const { positionals } = parseArgs({ args: [...args], allowPositionals: true });
  const [certificateFile, ...files] = positionals;
  if (certificateFile === undefined) throw new Error('Name the file of a certificate.');
  const certificate = await parseCertificate(certificateFile);
  const findings = [
    ...(await Promise.all(files.map((file) => compareFile(file, certificate)))),
    ...(await compareWithLedger(world, certificate)),
  ];
  for (const { told } of findings) world.terminal.say(told);
  return findings.some(({ isFault }) => isFault) ? 2 : 0;
}

async function parseCertificate(file: string): Promise<Certificate> {
  try {
    return z.parse(certificateSchema, JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    throw new Error(`${file} is not a certificate.`, { cause: error });
  }
}

async function compareFile(file: string, { files }: Certificate): Promise<Finding> {
  const digest = createHash('sha256');
  await pipeline(createReadStream(file), digest);
  const sha256 = digest.digest('hex');
  const certified = files.find((known) => known.sha256 === sha256);
  return certified === undefined
    ? { told: `${basename(file)}: DIFFERS from every file of the certificate (${sha256}).`, isFault: true }
    : { told: `${basename(file)}: is ${certified.fileName} of the certificate.`, isFault: false };
}

async function compareWithLedger(world: LedgerWorld, certificate: Certificate): Promise<readonly Finding[]> {
  const recorded = await readCertificate(world.sql, certificate.closing);
  if (recorded === undefined) return [{ told: 'The ledger has NO certificate of this closing.', isFault: true }];
  if (lastingText(recorded) !== lastingText(certificate)) {
    return [{ told: 'The certificate DIFFERS from the one in the ledger.', isFault: true }];
  }
  const same = { told: 'The ledger has the same certificate.', isFault: false };
  if (recorded.reopened !== null) {
    const { at, by } = recorded.reopened;
    return [same, { told: `The certificate is SUPERSEDED: ${by} reopened the days ${at}.`, isFault: true }];
  }
  return [same, await compute(world, recorded)];
}

async function compute({ sql, timeZone }: LedgerWorld, recorded: Certificate): Promise<Finding> {
  if (recorded.exportEdition !== exportEdition) {
    return {
      told: `The exports have another edition since: ${exportEdition}. They are not computed again.`,
      isFault: false,
    };
  }
  const computed = await computedFiles(sql, recorded, timeZone);
  return canonicalJson(computed) === canonicalJson(recorded.files)
    ? { told: 'The exports, computed again from the events, have the certified digests.', isFault: false }
    : { told: 'The exports, computed again from the events, DIFFER from the certificate.', isFault: true };
}

async function computedFiles(sql: Sql, { closing: version, files }: Certificate, timeZone: string) {
  const books = await readBooks(sql);
  const closing = books.closings.find((known) => known.version === version);
  if (closing === undefined) throw new Error('The closing was reopened a moment ago. Please run the command again.');
  const formats = exportFormats.filter((format) => files.some((file) => file.format === format));
  return (await certifyExports(sql, books, { closing, timeZone, formats })).files;
}

/** All but what may change later. */
function lastingText(certificate: Certificate): string {
  const { state: _state, reopened: _reopened, checkpoint: _checkpoint, ...lasting } = certificate;
  return canonicalJson(lasting);
}
