import type { Certificate } from '@kilim/bff/contract/certificate';
import { exportFormats } from '@kilim/bff/contract/exports';
import { type Cents, formatDollars } from '@kilim/domain/money';
import { Alert } from 'antd';
import { usePageData } from '../../shared/page-data.ts';
import { classNames } from '../../shared/ui/class-names.ts';
import { fullDayText, rangeOfFile } from '../shared/accounting/day-range.ts';
import { downloadAddress } from '../shared/accounting/export-calls.ts';
import { usePersonName } from '../shared/person-names.ts';
import { Badge } from '../shared/ui/badge.tsx';
import cards from '../shared/ui/card.module.css';
import { Facts } from '../shared/ui/card.tsx';
import { DataTable } from '../shared/ui/data-table.tsx';
import { timeText } from '../shared/ui/format.ts';
import sheet from '../shared/ui/sheet.module.css';
import styles from './certificate.module.css';
import { certificateTexts, pointTexts, reopeningTexts } from './closing-texts.ts';

type SheetProps = { readonly certificate: Certificate };

export function CertificateSheet({ certificate }: SheetProps) {
  const { from, through, state, lateFacts, checkpoint } = certificate;
  const { business } = usePageData().config;
  return (
    <article className={classNames(sheet.sheet, styles.certificate)} data-paper>
      <p className={styles.business}>{business.name}</p>
      <h2>
        {certificateTexts.heading(fullDayText(from), fullDayText(through))}{' '}
        <Badge tone={state === 'in-force' ? 'completed' : 'failed'}>
          {state === 'in-force' ? certificateTexts.inForce : certificateTexts.superseded}
        </Badge>
      </h2>
      <Superseded certificate={certificate} />
      <CertificateFacts certificate={certificate} />
      <Accounts certificate={certificate} />
      <Files certificate={certificate} />
      <p className={cards.soft}>{lateFacts}</p>
      <h3>{certificateTexts.checkpoint}</h3>
      {checkpoint === null ? (
        <p>{certificateTexts.noCheckpoint}</p>
      ) : (
        <>
          <p className={cards.soft}>{certificateTexts.checkpointNote}</p>
          <pre className={styles.note}>{checkpoint.note}</pre>
        </>
      )}
    </article>
  );
}

function Superseded({ certificate: { reopened, timeZone } }: SheetProps) {
  const nameOf = usePersonName();
  if (reopened === null) return null;
  const { at, by, reason } = reopened;
  const text = certificateTexts.supersededNote(timeText(at, timeZone), nameOf(by), reopeningTexts.reasons[reason]);
  return <Alert type="error" showIcon title={text} />;
}

function CertificateFacts({ certificate }: SheetProps) {
  const nameOf = usePersonName();
  const { timeZone, closedAt, closedBy, certifiedAt, exportEdition, events, bookings, lateBookings, openPoints } =
    certificate;
  const open = openPoints
    .map(({ point, count }) => `${pointTexts[point]}: ${count.toLocaleString('en-US')} open`)
    .join('. ');
  return (
    <Facts
      facts={[
        [certificateTexts.closed, certificateTexts.byAt(nameOf(closedBy), timeText(closedAt, timeZone))],
        [certificateTexts.certified, timeText(certifiedAt, timeZone)],
        [certificateTexts.timeZone, timeZone],
        [certificateTexts.events, events.toLocaleString('en-US')],
        [certificateTexts.bookings, bookings.toLocaleString('en-US')],
        [certificateTexts.late, lateBookings.toLocaleString('en-US')],
        [certificateTexts.edition, String(exportEdition)],
        [certificateTexts.checklist, open === '' ? certificateTexts.nothingOpen : open, 'wide'],
      ]}
    />
  );
}

type AccountRow = {
  readonly account: string;
  readonly name: string;
  readonly code: string;
  readonly debit: Cents;
  readonly credit: Cents;
};

function Accounts({ certificate: { balances, debits, credits } }: SheetProps) {
  const sum = { account: 'sum', name: certificateTexts.sum, code: '', debit: debits, credit: credits };
  return (
    <>
      <h3>{certificateTexts.accounts}</h3>
      <DataTable<AccountRow>
        label={certificateTexts.accounts}
        rows={[...balances, sum]}
        rowKey={({ account }) => account}
        columns={[
          {
            title: certificateTexts.account,
            render: ({ account, name }) => (account === 'sum' ? <strong>{name}</strong> : name),
          },
          { title: certificateTexts.code, render: ({ code }) => code },
          { title: certificateTexts.debit, align: 'right', render: ({ debit }) => formatDollars(debit) },
          { title: certificateTexts.credit, align: 'right', render: ({ credit }) => formatDollars(credit) },
        ]}
      />
    </>
  );
}

function Files({ certificate: { files, state } }: SheetProps) {
  return (
    <>
      <h3>{certificateTexts.files}</h3>
      <DataTable<Certificate['files'][number]>
        label={certificateTexts.files}
        rows={files}
        rowKey={({ fileName }) => fileName}
        columns={[
          {
            title: certificateTexts.file,
            render: (file) => (
              <a className={styles.name} href={state === 'in-force' ? addressOf(file) : undefined} download>
                {file.fileName}
              </a>
            ),
          },
          {
            title: certificateTexts.bytes,
            align: 'right',
            render: ({ bytes }) => bytes.toLocaleString('en-US'),
          },
          { title: certificateTexts.digest, render: ({ sha256 }) => <code className={styles.digest}>{sha256}</code> },
        ]}
      />
      <p className={cards.soft}>{certificateTexts.filesNote}</p>
    </>
  );
}

/** Exactly the days of the certificate. A later program may list files that this one has not. */
function addressOf({ format, fileName }: Certificate['files'][number]): string | undefined {
  const known = exportFormats.find((each) => each === format);
  const range = rangeOfFile(fileName);
  return known === undefined || range === undefined ? undefined : downloadAddress(known, range);
}
