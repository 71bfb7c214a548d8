import { Hono } from 'hono';
import * as z from 'zod/mini';
import { type AttentionItem, attention, attentionKinds, retried, retryRequest } from '../../../contract/attention.ts';
import { repeatWhileAway } from '../../database/repeat-while-away.ts';
import { readFinding } from '../../ledger/findings.ts';
import { explainRefusal } from '../../ledger/proof/checkpoint.ts';
import { verificationFinding } from '../../ledger/proof/remember-verification.ts';
import type { LedgerSigner } from '../../ledger/proof/signing-key.ts';
import type { WitnessPlace } from '../../ledger/witness/witness.ts';
import { readWitnessAges } from '../../ledger/witness/witnessed.ts';
import { booksComparison } from '../../queries/compare-books.ts';
import { openDifferences } from '../../queries/open-differences.ts';
import { type NeedsAttention, readAttention } from '../../queries/read-attention.ts';
import { reconciliation } from '../../queries/read-books.ts';
import { readResolutions } from '../../queries/resolutions.ts';
import type { World } from '../../server/world.ts';
import { sessionMay } from '../../sign-in/sessions.ts';
import { retryParkedWork } from '../../use-case/retry-parked-work.ts';
import { answerProblem, type Problem } from '../problem.ts';
import { body } from '../validate.ts';
import { clearingAlarmMessage } from './books-messages.ts';
import { type AdminGuard, type AdminVariables, checked } from './guard.ts';
import { refundFailureMessage } from './refund-failure.ts';

export type AdminAttentionOptions = {
  readonly world: World;
  readonly guard: AdminGuard;
  readonly witnesses: readonly WitnessPlace[];
  readonly signer: LedgerSigner | undefined;
  /** A shop that takes money. Without a witness, nobody else could prove its ledger. */
  readonly needsWitness: boolean;
};

/** What needs a person now, and another try of work that waits for one. */
export function adminAttention({ world, guard, ...proof }: AdminAttentionOptions) {
  return new Hono<AdminVariables>()
    .get(
      '/attention',
      guard.may('readOrders', async (c, session) => {
        const [ofOrders, ofBooks] = await Promise.all([
          repeatWhileAway(() => readAttention(world.sql)),
          sessionMay(session, 'readBooks') ? repeatWhileAway(() => readBooksItems(world, proof)) : [],
        ]);
        const items = [...ofOrders.map(itemOf), ...ofBooks].toSorted((one, other) => rank(one) - rank(other));
        return c.json(z.encode(attention, { items }));
      }),
    )
    .post(
      '/attention/retry',
      guard.may(
        'retryWork',
        checked(body(retryRequest), async (c, session) => {
          const asking = { by: session.username, requestId: c.get('requestId') };
          const status = await retryParkedWork(world, c.req.valid('json').id, asking);
          return status === undefined ? answerProblem(c, notParked) : c.json(z.encode(retried, { status }));
        }),
      ),
    );
}

const notParked: Problem = {
  status: 404,
  code: 'NotParked',
  message: 'This work does not wait any more. Please load the page again.',
};

function rank({ kind }: AttentionItem): number {
  return attentionKinds.indexOf(kind);
}

function itemOf({ kind, id, orderId, amount, since, dueAt, code }: NeedsAttention): AttentionItem {
  return {
    ...{ kind, id, orderId, amount },
    since: since.toISOString(),
    dueAt: dueAt?.toISOString() ?? null,
    detail: kind === 'refund-failed' ? refundFailureMessage(code ?? undefined) : null,
  };
}

type Proof = Omit<AdminAttentionOptions, 'world' | 'guard'>;

async function readBooksItems({ sql }: World, { witnesses, signer, needsWitness }: Proof): Promise<AttentionItem[]> {
  const [comparison, compared, resolutions, verification, ages, refusal] = await Promise.all([
    readFinding(sql, 'books', booksComparison),
    readFinding(sql, 'reconciliation', reconciliation),
    readResolutions(sql),
    readFinding(sql, 'verification', verificationFinding),
    readWitnessAges(sql, witnesses),
    signer === undefined ? undefined : explainRefusal(sql, signer),
  ]);
  const { differing, unmatched } = openDifferences(
    { comparison: comparison?.report, reconciliation: compared?.report },
    resolutions,
  );
  const differences = differing + unmatched + (comparison?.report.differing ?? 0);
  const faults = verification?.report.faults ?? 0;
  return [
    ...when(differences > 0, ofBooks('books-differ', countText(differences, 'difference'))),
    ...(comparison?.report.clearing.alarms ?? []).map((alarm) =>
      ofBooks('clearing-alarm', clearingAlarmMessage(alarm)),
    ),
    ...when(faults > 0, ofBooks('verification-faults', countText(faults, 'fault'))),
    ...(refusal === undefined ? [] : [ofBooks('seal-refused', refusal)]),
    ...ages.filter(({ isLate }) => isLate).map(({ kind, to }) => ofBooks('witness-late', `${kind}: ${to}`)),
    ...when(needsWitness && signer !== undefined && witnesses.length === 0, ofBooks('witness-missing', null)),
  ];
}

function when(condition: boolean, item: AttentionItem): readonly AttentionItem[] {
  return condition ? [item] : [];
}

function ofBooks(kind: AttentionItem['kind'], detail: string | null): AttentionItem {
  return { kind, id: detail ?? kind, orderId: null, amount: null, since: null, dueAt: null, detail };
}

function countText(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}.`;
}
