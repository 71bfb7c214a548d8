import { openRequest } from '@kilim/domain/intake/family';
import { payable } from '@kilim/domain/intake/intake';
import { type OrderId, parseOrderId } from '@kilim/domain/order/ids';
import { orderNumberOf } from '@kilim/domain/order/number';
import { capturedAttempt } from '@kilim/domain/order/payment';
import type { Difference } from '../../../contract/differences.ts';
import { repeatWhileAway } from '../../core/database/repeat-while-away.ts';
import { answerProblem, type Problem, paymentProblem } from '../../core/http/problem.ts';
import { answerTaken, newPaymentId, requestsToPay } from '../../core/http/shop/payments.ts';
import { quoteAnswer } from '../../core/http/shop/wire-mapping.ts';
import { answerTooMany, throttle } from '../../core/http/throttle/throttle.ts';
import { canonicalJson, sha256 } from '../../core/ledger/hash.ts';
import type { ShopGround } from '../../core/room.ts';
import { dayIn } from '../../core/runtime/day-in.ts';
import type { World } from '../../core/use-case/world.ts';
import { type ReadFamily, readFamily } from '../family.ts';
import { findSupplementOrder, paySupplement, type SupplementRejection } from '../use-case/pay-supplement.ts';
import type { IntakeWorld } from '../use-case/record-step.ts';

const lookedUp = { name: 'difference', perSeconds: 60, mostPerAddress: 120, mostPerNetwork: 600 };

const unknown: Problem = {
  status: 404,
  code: 'NotFound',
  message: 'This link is not valid. Nothing is to be paid here. Please contact us if you have a question.',
};

type DifferencesWorld = IntakeWorld & { readonly world: World };

export function serveDifferences({ serve, throttles, guard }: ShopGround, world: DifferencesWorld): void {
  const { payments: told } = throttles.metrics;
  const read = async (text: string) => {
    const supplementId = parseOrderId(text);
    const orderId = supplementId && (await repeatWhileAway(() => findSupplementOrder(world.sql, supplementId)));
    return orderId && { supplementId, orderId };
  };
  serve(
    'GET /api/differences/:id',
    async (c, { params, answer }) => {
      const found = await read(params.id);
      const family = found && (await readFamily(world, found.orderId));
      if (found === undefined || family === undefined) return answerProblem(c, unknown);
      return answer(200, differenceAnswer(family, found.supplementId, world));
    },
    { limit: throttle(throttles, lookedUp) },
  );
  serve(
    'POST /api/differences/:id/pay',
    async (c, { params, body: { token, amount, verificationToken, idempotencyKey } }) => {
      const found = await read(params.id);
      if (found === undefined) return answerProblem(c, unknown);
      const { supplementId, orderId } = found;
      const attempt = { client: throttles.clientOf(c), orderId: supplementId, idempotencyKey };
      const request = {
        ...{ supplementId, idempotencyKey, offered: amount, cardToken: token },
        paymentId: newPaymentId(),
        requestHash: sha256(canonicalJson({ token, amount, supplementId })),
        verificationToken: verificationToken ?? undefined,
        requestId: c.get('requestId'),
      };
      const taken = await guard.attempt(attempt, () => paySupplement(world, request, orderId));
      told.inc({ outcome: taken.kind });
      if (taken.kind === 'refused') return answerTooMany(c, throttles, taken);
      if (taken.kind !== 'rejected') return answerTaken(c, taken);
      return answerProblem(c, problemOf(taken.rejection));
    },
    { limit: throttle(throttles, requestsToPay) },
  );
}

function differenceAnswer(read: ReadFamily, supplementId: OrderId, world: DifferencesWorld): Difference {
  const { family, rates, placed } = read;
  const terms = { rates, today: dayIn(world.timeZone, world.now()) };
  const quote = payable(family, supplementId, terms);
  const request = openRequest(family);
  const isNewer = !quote.ok && request !== undefined && payable(family, request.supplementId, terms).ok;
  const payments = family.supplements.get(supplementId)?.payments;
  const isPaid = !quote.ok && quote.rejection.code === 'Paid';
  return {
    status: quote.ok ? 'open' : isPaid ? 'paid' : 'ended',
    number: orderNumberOf(placed.orderId),
    paymentId: (payments && capturedAttempt(payments)?.paymentId) ?? null,
    quote: quote.ok ? quoteAnswer(supplementId, quote.value) : null,
    ordered: placed.rugs.map(({ width, length }) => ({ width, length })),
    measuring: world.settings.latest().settings.intake.measuring,
    expiresOn: quote.ok ? (request?.expiresOn ?? null) : null,
    newer: isNewer ? { id: request.supplementId, amount: request.amount } : null,
  };
}

function problemOf(rejection: SupplementRejection): Problem {
  const { code } = rejection;
  const message = 'The amount has changed, so nothing was charged. Please reload the page, or contact us.';
  switch (code) {
    case 'Withdrawn':
      return { status: 409, code, message: 'This link is not valid any more.' };
    case 'Expired':
      return { status: 409, code, message: 'This link is too old. Please contact us for a new one.' };
    case 'DifferenceChanged':
    case 'AmountDiffers':
    case 'OrderDiffers':
      return { status: 409, code, message };
    default:
      return paymentProblem({ code });
  }
}
