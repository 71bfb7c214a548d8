import type { Account } from '@kilim/domain/accounting/chart';
import type { AccountTotals, PeriodCertified } from '@kilim/domain/accounting/closings';
import { dayAfter, dayBefore } from '@kilim/domain/day';
import { type Cents, cents, noCents } from '@kilim/domain/money';
import type { Sql } from '../../core/database/database.ts';
import { closingsCodec, closingsStream } from '../../core/ledger/codecs/closings.ts';
import { eventsOf, readStream } from '../../core/ledger/read.ts';
import { firstDay, openScope, type Scope } from './scope.ts';
import { sumJournal } from './sum-journal.ts';

/** A debit is positive. */
export type Balances = ReadonlyMap<Account, Cents>;

/**
 * The sums of every earlier entry. No account begins a year with zero, because the accounting program closes the years.
 * Closed periods are summed in their certificates already.
 */
export async function readOpeningBalances(sql: Sql, scope: Scope): Promise<Balances> {
  const certificates = await readCertificatesBefore(sql, scope);
  const last = certificates.at(-1);
  const open = { from: last === undefined ? firstDay : dayAfter(last.through), to: dayBefore(scope.from) };
  const sums: readonly AccountTotals[] =
    open.from > open.to ? [] : (await sumJournal(sql, await openScope(sql, scope.timeZone, open))).balances;
  const balances = new Map<Account, Cents>();
  for (const { account, debit, credit } of [...certificates.flatMap((certificate) => certificate.balances), ...sums]) {
    balances.set(account, cents((balances.get(account) ?? noCents) + debit - credit));
  }
  return balances;
}

/** Of the closings in force, from the first one without a gap. Only the latest closing can be reopened. */
async function readCertificatesBefore(sql: Sql, { from, books }: Scope): Promise<readonly PeriodCertified[]> {
  const events = eventsOf(await readStream(sql, { streamId: closingsStream, codec: closingsCodec }));
  const certificates: PeriodCertified[] = [];
  for (const { version, through } of books.closings) {
    const certificate = events.find((event) => event.type === 'PeriodCertified' && event.closing === version);
    if (through >= from || certificate?.type !== 'PeriodCertified') break;
    certificates.push(certificate);
  }
  return certificates;
}
