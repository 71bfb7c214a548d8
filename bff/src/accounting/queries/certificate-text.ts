import { decimalDollars } from '@kilim/domain/money';
import type { Certificate } from '../../../contract/certificate.ts';

export function certificateFileName({ from, through, closing }: Certificate): string {
  return `kilim-certificate-${from}-to-${through}-${closing}.json`;
}

/** The certificate as plain text, for a mail or a terminal. Lines end in LF. */
export function certificateText(certificate: Certificate): string {
  const { from, through, timeZone, closedAt, closedBy, reopened, checkpoint, openPoints } = certificate;
  const points = openPoints.map(({ point, count }) => `${point} (${count})`).join(', ');
  return [
    `Certificate of the closing ${certificate.closing}: ${from} to ${through} (${timeZone})`,
    `Closed ${closedAt} by ${closedBy}; certified ${certificate.certifiedAt}; edition ${certificate.exportEdition}`,
    reopened === null
      ? 'State: in force'
      : `State: SUPERSEDED, reopened ${reopened.at} by ${reopened.by} (${reopened.reason})`,
    `Open points of the checklist: ${points === '' ? 'none' : points}`,
    `Events: ${certificate.events}; bookings: ${certificate.bookings}; late: ${certificate.lateBookings}`,
    '',
    'Journal by account (debit, credit)',
    ...certificate.balances.map(({ name, debit, credit }) =>
      accountLine(name, decimalDollars(debit), decimalDollars(credit)),
    ),
    accountLine('Sum', decimalDollars(certificate.debits), decimalDollars(certificate.credits)),
    '',
    'Files (SHA-256, bytes, name)',
    ...certificate.files.map(({ sha256, bytes, fileName }) => `${sha256} ${String(bytes).padStart(10)} ${fileName}`),
    '',
    certificate.lateFacts,
    '',
    checkpoint === null ? 'The ledger is not sealed after this closing yet.' : `Signed checkpoint:\n${checkpoint.note}`,
  ].join('\n');
}

function accountLine(name: string, debit: string, credit: string): string {
  return `${name.padEnd(36)} ${debit.padStart(14)} ${credit.padStart(14)}`;
}
