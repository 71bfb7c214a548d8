import { decideUndo, isUndoing } from '@kilim/domain/accounting/resolutions';
import type { Glance } from '../../../contract/glance.ts';
import type { Sql } from '../../core/database/database.ts';
import { repeatWhileAway } from '../../core/database/repeat-while-away.ts';
import type { Serve } from '../../core/http/serve.ts';
import { currentForHours } from '../../core/ledger/findings.ts';
import { resolutionsOf } from '../../core/queries/resolutions.ts';
import { askForCheck } from '../../proof/background/check-ledger.ts';
import { explainRefusal } from '../../proof/checkpoint.ts';
import type { LedgerSigner } from '../../proof/signing-key.ts';
import type { WitnessPlace } from '../../proof/witness/witness.ts';
import { canBeWrittenOff, type OpenDifferences, openDifferences, waysToResolve } from '../queries/open-differences.ts';
import { askForComparison, type Books, mostUnsealed, readBooksAtAGlance } from '../queries/read-books.ts';
import {
  clearingAlarmMessage,
  differenceMessage,
  payoutDifferenceMessage,
  resolutionMessage,
  unmatchedMessage,
} from './books-messages.ts';

export type AdminBooksGlanceOptions = {
  readonly sql: Sql;
  readonly timeZone: string;
  readonly witnesses: readonly WitnessPlace[];
  readonly signer: LedgerSigner | undefined;
};

export function serveBooksGlance(serve: Serve, { sql, timeZone, witnesses, signer }: AdminBooksGlanceOptions): void {
  serve('GET /api/admin/books/glance', async (_, { answer }) => {
    const books = await repeatWhileAway(() => readBooksAtAGlance(sql, timeZone, witnesses));
    const refusal = signer && (await repeatWhileAway(() => explainRefusal(sql, signer)));
    return answer(200, answerOf(books, refusal));
  });
  serve('POST /api/admin/books/comparison', async (_, { answer }) => {
    await repeatWhileAway(() => askForComparison(sql));
    return answer(202);
  });
  serve('POST /api/admin/books/check', async (_, { answer }) => {
    await repeatWhileAway(() => askForCheck(sql));
    return answer(202);
  });
}

function answerOf(
  { now, seals, witnesses, comparison, reconciliation, verification, check, resolutions }: Books,
  refusal: string | undefined,
): Glance {
  const compared = { comparison: comparison?.report, reconciliation: reconciliation?.report };
  const open = openDifferences(compared, resolutionsOf(resolutions));
  const { last, unsealed } = seals;
  return {
    now,
    seals: {
      last: last === undefined ? null : { ...last, sealedAt: last.sealedAt.toISOString() },
      unsealed,
      moreUnsealed: unsealed === mostUnsealed,
      refused: refusal ?? null,
    },
    witnesses: witnesses.map(({ kind, to, last, isLate }) => ({
      kind,
      to,
      last: last === undefined ? null : { sequence: last.sequence, sentAt: last.sentAt.toISOString() },
      isLate,
    })),
    verification: verification === undefined ? null : verificationAnswer(verification),
    check: check === undefined ? null : verificationAnswer(check),
    comparison: comparison === undefined ? null : comparisonAnswer(comparison, open),
    reconciliation: reconciliation === undefined ? null : reconciliationAnswer(reconciliation, open),
    resolved: resolvedAnswers(resolutions).slice(0, 100),
  };
}

function verificationAnswer({
  madeAt,
  report,
}: NonNullable<Books['verification']>): NonNullable<Glance['verification']> {
  const { keptNote = null, firstFaults } = report;
  return { ...report, madeAt: madeAt.toISOString(), keptNote, firstFaults: [...firstFaults] };
}

/** An event that undoes another is a part of the other's answer. */
function resolvedAnswers(resolutions: Books['resolutions']): Glance['resolved'] {
  const state = resolutionsOf(resolutions);
  const undone = new Map(
    resolutions.flatMap(({ event, at }) => (isUndoing(event) ? [[event.undoes, { by: event.by, at }]] : [])),
  );
  const answers = resolutions.flatMap(({ event, version, at }) => {
    if (isUndoing(event)) return [];
    const decision = decideUndo({ undoes: version, by: event.by }, state);
    return [
      {
        version,
        undone: undone.get(version) ?? null,
        canBeUndone: decision.ok && decision.value.length > 0,
        code: 'code' in event ? event.code : null,
        message: resolutionMessage(event),
        squareId: 'squareId' in event ? event.squareId : event.squarePaymentId,
        orderId: 'orderId' in event ? event.orderId : null,
        amount: 'stated' in event ? event.stated : event.amount,
        reason: event.reason,
        by: event.by,
        at,
      },
    ];
  });
  return answers.toReversed();
}

function comparisonAnswer(
  { madeAt, report }: NonNullable<Books['comparison']>,
  open: OpenDifferences,
): NonNullable<Glance['comparison']> {
  const { differingOrders, payouts, clearing } = report;
  return {
    ...report,
    madeAt: madeAt.toISOString(),
    notCompared: outdated(madeAt),
    differingOrders: [...differingOrders],
    paidOut: {
      ...payouts.charges,
      elsewhere: payouts.elsewhere,
      notCompared: outdated(madeAt) ?? (payouts.entries === 0 ? noPayoutRecorded : null),
    },
    clearing: {
      ...clearing,
      alarms: clearing.alarms.map(clearingAlarmMessage),
      openItems: open.openItems.map((item) => ({ ...item, canBeWrittenOff: canBeWrittenOff(item) })),
    },
    unmatched: open.unmatched,
    unmatchedEntries: open.unmatchedEntries.map((entry) => ({ ...entry, message: unmatchedMessage(entry.code) })),
  };
}

function reconciliationAnswer(
  { madeAt, report }: NonNullable<Books['reconciliation']>,
  open: OpenDifferences,
): NonNullable<Glance['reconciliation']> {
  const { span, payments, refunds, disputes, totals, payouts } = report;
  const withoutAnyFee = totals.withoutFee > 0 && totals.atSquare.fees === 0 && totals.inLedger.fees === 0;
  const reasonFor = (lists: readonly (typeof report.unlisted)[number]['list'][]) => {
    const missing = report.unlisted.find(({ list }) => lists.includes(list));
    return outdated(madeAt) ?? (missing === undefined ? null : `${missing.why}.`);
  };
  const ofPayouts = open.ofPayouts.map(({ code, squarePayoutId: squareId, amount, at }) => ({
    ...{ code, squareId, orderId: null, amount, at, ways: [] },
    message: payoutDifferenceMessage(code),
  }));
  return {
    madeAt: madeAt.toISOString(),
    from: span.from,
    ...{ payments, refunds, disputes },
    inFlight: report.inFlight + (payouts?.inFlight ?? 0),
    atSquare: totals.atSquare,
    inLedger: totals.inLedger,
    notCompared: {
      taken: reasonFor(['payments']),
      // Only the list of payments tells which refunds were made at the counter.
      refunded: reasonFor(['refunds', 'payments']),
      fees: reasonFor(['payments', 'refunds']) ?? (withoutAnyFee ? noFeeReported : null),
      disputed: reasonFor(['disputes']),
    },
    payouts: payouts?.payouts ?? null,
    differing: open.differing,
    differences: [
      ...open.differences.map(({ code, squareId, orderId = null, amount, at = null }) => ({
        ...{ code, squareId, orderId, amount, at },
        message: differenceMessage(code),
        ways: [...waysToResolve(code)],
      })),
      ...ofPayouts,
    ],
  };
}

function outdated(madeAt: Date): string | null {
  return Date.now() - madeAt.getTime() > currentForHours * 60 * 60 * 1000
    ? 'The last comparison was more than a day ago.'
    : null;
}

const noPayoutRecorded = 'No payout has been recorded yet.';
const noFeeReported = 'Square has not reported any fee of this time yet.';
