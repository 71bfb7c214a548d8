import { Gauge, type Registry } from 'prom-client';
import { day, hour, type Job, minute } from '../core/background/job.ts';
import { readFinding } from '../core/ledger/findings.ts';
import { beat, type JobRules, postponeJob } from '../core/ledger/jobs.ts';
import type { Room } from '../core/room.ts';
import { explainUnlisted } from '../core/square/token-rights.ts';
import type { PayoutRecorder, World } from '../core/use-case/world.ts';
import type { LedgerSigner } from '../proof/signing-key.ts';
import type { WitnessPlace } from '../proof/witness/witness.ts';
import { recordPayoutNow, recordPayouts } from './background/record-payouts.ts';
import { serveBooks } from './http/books.ts';
import { serveBooksGlance } from './http/books-glance.ts';
import { serveClosings } from './http/closings.ts';
import { serveDifferences } from './http/differences.ts';
import { serveExportTokens } from './http/export-tokens.ts';
import { serveExports } from './http/exports.ts';
import { serveMonthMails } from './http/month-mails.ts';
import { servePayouts } from './http/payouts.ts';
import { composeCertificate } from './mail/closing-certificate.ts';
import { composeMonthFiles } from './mail/month-files.ts';
import { booksComparison, compareBooks } from './queries/compare-books.ts';
import { readBooksAttention } from './queries/read-books-attention.ts';
import { certifyClosings } from './use-case/certify-closings.ts';

export type AccountingOptions = {
  readonly world: World;
  readonly timeZone: string;
  /** Absent: this server signs nothing. */
  readonly signer: LedgerSigner | undefined;
  readonly witnesses: readonly WitnessPlace[];
  /** The accountant's mail address. Undefined: the server mails no files of a month. */
  readonly accountant: string | undefined;
  readonly registry: Registry;
};

export function accounting(options: AccountingOptions): Room {
  const { world, timeZone, signer, witnesses, accountant } = options;
  const { sql, log, now } = world;
  return {
    serve: ({ serve, guard, throttles, securityOf, exporting, stalledAfterMs }) => {
      serveExports(serve, { sql, exporting, log, guard, throttles, securityOf, timeZone, stalledAfterMs });
      serveExportTokens(serve, sql, securityOf);
      serveMonthMails(serve, { sql, now, timeZone, accountant });
      serveBooksGlance(serve, { sql, timeZone, witnesses, signer });
      servePayouts(serve, sql, timeZone);
      serveDifferences(serve, world);
      serveBooks(serve, { sql, log, now, timeZone, signer });
      serveClosings(serve, { sql, log, now, timeZone, signer, witnesses });
    },
    jobs: [comparingBooks(world), certifyingClosings({ ...world, timeZone, witnesses })],
    heartbeats: [recordingPayouts],
    letters: { 'closing-certificate': composeCertificate, 'month-files': composeMonthFiles },
    attention: () => readBooksAttention(sql),
    gauges: [alarmGauge(options)],
  };
}

const recordingPayouts: JobRules = {
  name: 'record-payouts',
  limitSeconds: day + 2 * hour,
  meaning: 'Payouts are not recorded, so they cannot be compared with the bank account.',
};

/** The comparison of weeks calls it at its end. */
export const payoutRecorder: PayoutRecorder = {
  record: async (world, span) => {
    const recorded = await recordPayouts(world, span);
    const failure = recorded.kind === 'recorded' ? undefined : explainUnlisted('payouts', recorded);
    await beat(world.sql, recordingPayouts, failure);
    // New payouts settle open items.
    await postponeJob(world.sql, 'compare-books', 0);
    return recorded;
  },
  recordNow: recordPayoutNow,
};

function comparingBooks({ sql, log, now }: World): Job {
  const run = async () => {
    const { differing, payouts, clearing } = await compareBooks(sql, now());
    const { openItems: _, ...sums } = clearing;
    const found = { differing, unmatched: payouts.unmatched };
    if (clearing.alarms.length > 0) log.error(sums, 'the clearing account needs attention');
    if (differing + payouts.unmatched === 0) log.info(found, 'the books were compared');
    else log.error(found, 'the books differ');
    return 0;
  };
  return {
    name: 'compare-books',
    limitSeconds: day + 2 * hour,
    meaning: 'The books are not compared with the payouts.',
    pollSeconds: 5,
    everySeconds: day,
    run,
  };
}

function certifyingClosings(world: Parameters<typeof certifyClosings>[0] & World): Job {
  return {
    name: 'certify-closings',
    limitSeconds: 15 * minute,
    meaning: 'A closed period gets no certificate.',
    pollSeconds: 2,
    // A closing makes the job due immediately.
    everySeconds: minute,
    run: async () => {
      const certified = await certifyClosings(world);
      if (certified > 0) world.log.info({ certified }, 'closings were certified');
      return 0;
    },
  };
}

function alarmGauge({ world, registry }: AccountingOptions) {
  const alarm = new Gauge({
    name: 'kilim_clearing_alarm',
    help: 'Whether the clearing account was negative or unexplained at the last comparison of the books',
    registers: [registry],
  });
  return {
    clear: () => alarm.remove(),
    read: async () => {
      const books = await readFinding(world.sql, 'books', booksComparison);
      alarm.set((books?.report.clearing.alarms.length ?? 0) > 0 ? 1 : 0);
    },
  };
}
