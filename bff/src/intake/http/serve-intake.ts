import { randomUUID } from 'node:crypto';
import { largestSideInches } from '@kilim/domain/catalog';
import type { IntakeCommand, IntakeRejection } from '@kilim/domain/intake/intake';
import type { MeasuredSize } from '@kilim/domain/order/events';
import { parseOrderId, supplementIdOf } from '@kilim/domain/order/ids';
import { isRefundingRole } from '@kilim/domain/people/refund-limits';
import type { Inches } from '@kilim/domain/rug';
import { formatSide } from '@kilim/domain/rug';
import { unreachable } from '@kilim/domain/unreachable';
import type { Context } from 'hono';
import type * as z from 'zod/mini';
import type { intakeRequest } from '../../../contract/intake-request.ts';
import { noteReachedLimit } from '../../core/http/office/note-reached-limit.ts';
import { orderNotFound } from '../../core/http/office/orders.ts';
import { problemOfRefund } from '../../core/http/office/refund-problem.ts';
import { answerProblem, invalidFields, type Problem } from '../../core/http/problem.ts';
import { notPermitted, type SecurityOf } from '../../core/http/proven.ts';
import type { RequestEnv } from '../../core/http/request-id.ts';
import type { Serve } from '../../core/http/serve.ts';
import { newPaymentId } from '../../core/http/shop/payments.ts';
import { dayIn } from '../../core/runtime/day-in.ts';
import type { World } from '../../core/use-case/world.ts';
import { type ReadFamily, readFamily } from '../family.ts';
import { recordShopPayment, type ShopPaymentRejection } from '../use-case/pay-supplement.ts';
import { type IntakeWorld, recordStep } from '../use-case/record-step.ts';
import { type RefundMeasuredRejection, refundMeasured } from '../use-case/refund-measured.ts';
import { type AnswerWorld, intakeAnswer } from './intake-answer.ts';

export type ServeIntakeOptions = IntakeWorld &
  Pick<AnswerWorld, 'shopUrl'> & {
    readonly world: World;
    readonly securityOf: SecurityOf;
  };

/** A link to pay a difference opens for this long. */
const openDays = 30;

export function serveIntake(serve: Serve, options: ServeIntakeOptions): void {
  const { settings, shopUrl, securityOf } = options;
  const find = async (text: string) => {
    const orderId = parseOrderId(text);
    return orderId && (await readFamily(options, orderId));
  };
  const answerOf = (family: ReadFamily) =>
    intakeAnswer(family, { settings: settings.latest().settings.intake, shopUrl, now: options.now });
  serve('GET /api/admin/orders/:id/intake', async (c, { params, answer }) => {
    const found = await find(params.id);
    return found === undefined ? answerProblem(c, orderNotFound) : answer(200, answerOf(found));
  });
  serve('POST /api/admin/orders/:id/intake', async (c, { by: { username: by }, params, body, answer }) => {
    const known = await find(params.id);
    if (known === undefined) return answerProblem(c, orderNotFound);
    const expiresOn = dayIn(options.timeZone, new Date(options.now().getTime() + openDays * 86_400_000));
    const supplementId = supplementIdOf(known.stream.orderId, known.supplements.length + 1, randomUUID());
    const about = { known, by, requestId: c.get('requestId') };
    const recorded =
      body.step === 'paid'
        ? await recordShopPayment(options, { ...about, ...paidFacts(body) })
        : await recordStep(options, { ...about, command: commandOf(body, { supplementId, expiresOn }) });
    if (!recorded.ok) return answerProblem(c, problemOf(recorded.rejection));
    return answer(200, answerOf((await find(params.id)) ?? known));
  });
  serve('POST /api/admin/orders/:id/intake/refund', async (c, { by: session, params, body, answer }) => {
    const { role, username: by } = session;
    if (!isRefundingRole(role)) return answerProblem(c, notPermitted(role, 'refund'));
    const known = await find(params.id);
    if (known === undefined) return answerProblem(c, orderNotFound);
    const refunded = await refundMeasured(options, { known, seen: body, by, role, requestId: c.get('requestId') });
    if (!refunded.ok) return await answerRefusedRefund(c, by, refunded.rejection);
    return answer(200, answerOf((await find(params.id)) ?? known));
  });

  async function answerRefusedRefund(c: Context<RequestEnv>, by: string, rejection: RefundMeasuredRejection) {
    if (!('kind' in rejection)) return answerProblem(c, problemOf(rejection));
    await noteReachedLimit(securityOf(c), by, rejection.rejection);
    const { status, code, message } = problemOfRefund(rejection);
    return answerProblem(c, { status, code, message });
  }
}

type Request = z.output<typeof intakeRequest>;

function paidFacts({ amount, method, reference }: Extract<Request, { readonly step: 'paid' }>) {
  return { paymentId: newPaymentId(), amount, method, reference };
}

function commandOf(
  request: Exclude<Request, { readonly step: 'paid' }>,
  fresh: Pick<Extract<IntakeCommand, { type: 'Ask' }>, 'supplementId' | 'expiresOn'>,
): IntakeCommand {
  switch (request.step) {
    case 'receive':
      return { type: 'Receive', sizes: request.sizes.map(sizeOf) };
    case 'ask':
      return { ...fresh, type: 'Ask', measurement: request.measurement, amount: request.amount };
    case 'withdraw':
      return { type: 'Withdraw' };
    case 'waive':
      return { type: 'Waive', measurement: request.measurement, amount: request.amount, reason: request.reason };
    case 'ready':
      return { type: 'MarkReady' };
    case 'hand-over':
      return { type: 'HandOver' };
    case 'undo':
      return { type: 'Undo', step: request.undoes };
    default:
      return unreachable(request);
  }
}

function sizeOf({ width, length }: { readonly width: number; readonly length: number }): MeasuredSize {
  return { width: width as Inches, length: length as Inches };
}

function problemOf(rejection: IntakeRejection | ShopPaymentRejection): Problem {
  const { code } = rejection;
  if (code === 'InvalidRug') {
    const { rugIndex, reason } = rejection;
    const text =
      reason.code === 'SideTooLong'
        ? `A side has at most ${formatSide(largestSideInches as Inches)}.`
        : 'Please enter the width and the length of this rug.';
    return invalidFields({ [`sizes.${rugIndex}`]: text });
  }
  return { status: 409, code, message: sentences[code] };
}

type Told = Exclude<(IntakeRejection | ShopPaymentRejection)['code'], 'InvalidRug'>;

const sentences: Readonly<Record<Told, string>> = {
  AlreadyPaid: 'The customer has paid this already. Please reload the page before you take money.',
  NotPaid: 'This order has not been paid.',
  IsSupplement: 'This order only pays a difference for the rugs of another order. Please open that order.',
  OtherRugs: 'This order has another number of rugs. Please reload the page.',
  NotReceived: 'Please receive the rugs first.',
  NotReady: 'Please say first that the rugs are ready.',
  HandedOver: 'The customer has the rugs already. Please undo that first.',
  CustomerIsPaying: 'The customer is paying the difference at this moment. Please try again in a minute.',
  DifferenceChanged: 'The difference has changed. Please look at it again.',
  NothingToUndo: 'There is nothing to undo any more.',
};
