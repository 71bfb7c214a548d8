import { parseArgs } from 'node:util';
import { formatDollars } from '@kilim/domain/money';
import { payoutRecorder } from '../../accounting/room.ts';
import { lastSeconds } from '../../core/background/background-work.ts';
import { reconcileWeeks, type WeeksReport } from '../../core/background/reconcile-weeks.ts';
import { connect } from '../../core/database/database.ts';
import { requireDatabase } from '../../core/database/require-database.ts';
import { createLogger } from '../../core/runtime/logger.ts';
import { refundWithinLimits } from '../../people/room.ts';
import { authenticateBesideServers } from '../../proof/authenticate-beside-servers.ts';
import { signingKeyPlace } from '../../proof/signing-key.ts';
import { refuseWrongSession } from '../check/check-session.ts';
import { parseEnvironment } from '../env.ts';
import { joinDatabase, joinSquare } from '../start-peers.ts';

// Compares Square with the ledger now, records what is missing, and prints the differences.
// Usage: npm run reconcile [-- --days 21] [--record-lost]
// --record-lost records payments of known orders that the ledger lost when it was restored: docs/recovery.md.

const secondsPerDay = 24 * 60 * 60;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { days: { type: 'string', default: '21' }, 'record-lost': { type: 'boolean', default: false } },
  });
  const days = Number(values.days);
  if (!Number.isInteger(days) || days < 1 || days > 366) {
    throw new Error('--days must be a whole number from 1 to 366.');
  }
  const parsed = parseEnvironment(process.env);
  if (!parsed.ok) throw new Error(parsed.rejection.join('\n'));
  const closers: (() => Promise<unknown>)[] = [];
  const closing = (close: () => Promise<unknown>) => closers.unshift(close);
  try {
    const place = await joinDatabase(parsed.value, closing);
    const { card } = await joinSquare(parsed.value, closing);
    const sql = connect({ url: place.url, role: 'kilim_server', max: 2, applicationName: 'kilim reconcile' });
    closing(() => sql.end({ timeout: 1 }));
    await requireDatabase(sql, place);
    await refuseWrongSession(sql, { ...place, role: 'kilim_server' });
    await authenticateBesideServers(sql, signingKeyPlace(parsed.value));
    const log = createLogger({ level: 'warn' });
    const world = { sql, card, log, now: () => new Date(), refundWithin: refundWithinLimits, payouts: payoutRecorder };
    const reconciled = await reconcileWeeks(world, lastSeconds(new Date(), days * secondsPerDay), {
      recordsLost: values['record-lost'],
    });
    if (reconciled.kind === 'unknown') throw new Error(`Square gave no usable answer: ${reconciled.detail}.`);
    process.stdout.write(tell(reconciled.report, days));
    const { differences, payouts, unlisted } = reconciled.report;
    if (unlisted.length > 0) return 1;
    return differences.length + (payouts?.differences.length ?? 0) === 0 ? 0 : 2;
  } finally {
    for (const close of closers) await close();
  }
}

function tell(report: WeeksReport, days: number): string {
  const { payouts } = report;
  const recorded = Object.entries({ ...report.recorded, ...payouts?.recorded }).map(
    ([type, count]) => `  ${type}: ${count}`,
  );
  const differences = [
    ...report.differences.map(
      ({ code, squareId, orderId, amount, at }) =>
        `  ${code}: ${squareId} at Square, ${orderId ?? 'no order'}, ${formatDollars(amount)}, ${at ?? 'day unknown'}`,
    ),
    ...(payouts?.differences ?? []).map(
      ({ code, squarePayoutId, amount, at }) =>
        `  ${code}: payout ${squarePayoutId} at Square, ${formatDollars(amount)}, ${at}`,
    ),
  ];
  const inFlight = report.inFlight + (payouts?.inFlight ?? 0);
  return [
    `The last ${days} days at Square: ${report.payments} payments, ${report.refunds} refunds, ${report.disputes} disputes, ${payouts === undefined ? 'payouts unknown' : `${payouts.payouts} payouts`}.`,
    recorded.length === 0 ? 'Nothing had to be recorded.' : ['Recorded:', ...recorded].join('\n'),
    ...(report.released > 0 ? [`Unwanted holds that were canceled: ${report.released}.`] : []),
    ...(inFlight > 0 ? [`Still in flight, to be checked again: ${inFlight}.`] : []),
    ...report.unlisted.map(({ why }) => `${why}, so they were not compared.`),
    differences.length > 0
      ? ['They differ:', ...differences].join('\n')
      : `${report.unlisted.length > 0 ? 'In all else ' : ''}Square and the ledger agree.`,
    '',
  ].join('\n');
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
