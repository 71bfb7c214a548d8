import type { Day } from '../day.ts';
import type { Cents } from '../money.ts';
import {
  type IntakeStep,
  intakeSteps,
  type MeasuredSize,
  type OrderEvent,
  type WaiverReason,
} from '../order/events.ts';
import type { OrderId } from '../order/ids.ts';
import { openAttempt } from '../order/payment.ts';
import type { Quote } from '../quote.ts';
import type { Rates } from '../rates.ts';
import { ok, type Result, rejected } from '../result.ts';
import { checkRug, type RugRejection } from '../rug.ts';
import { unreachable } from '../unreachable.ts';
import { type Difference, differenceOf, supplementCharges, supplementQuote } from './difference.ts';
import { type Family, type IntakeState, isRefunded, isWaived, openRequest } from './family.ts';

export type PayRejection =
  | { readonly code: 'Paid' }
  | { readonly code: 'Withdrawn' }
  | { readonly code: 'Expired'; readonly on: Day }
  /** Money moved since: another amount is due. */
  | { readonly code: 'DifferenceChanged' };

/**
 * What the customer pays for a request. Decided again at the start of a payment.
 * @param today in the time zone of the business
 */
export function payable(
  family: Family,
  supplementId: OrderId,
  { rates, today }: { readonly rates: Rates; readonly today: Day },
): Result<Quote, PayRejection> {
  const { order, supplements } = family;
  if (supplements.get(supplementId)?.refunds.captured !== undefined) return rejected({ code: 'Paid' });
  const { request } = order;
  if (request?.supplementId !== supplementId || isRefunded(family)) {
    return rejected({ code: 'Withdrawn' });
  }
  if (today > request.expiresOn) return rejected({ code: 'Expired', on: request.expiresOn });
  const difference = differenceOf(family, rates);
  if (difference === undefined || difference.due !== request.amount) return rejected({ code: 'DifferenceChanged' });
  return ok(supplementQuote(difference.placed, difference.measurement, request.charges));
}

export type IntakeCommand =
  | { readonly type: 'Receive'; readonly sizes: readonly MeasuredSize[] }
  /** The measurement and the amount as the person saw them. */
  | ({ readonly type: 'Ask'; readonly supplementId: OrderId; readonly expiresOn: Day } & Seen)
  | { readonly type: 'Withdraw' }
  | ({ readonly type: 'Waive'; readonly reason: WaiverReason } & Seen)
  | { readonly type: 'MarkReady' }
  | { readonly type: 'HandOver' }
  | { readonly type: 'Undo'; readonly step: IntakeStep };

export type Seen = { readonly measurement: number; readonly amount: Cents };

export type IntakeRejection =
  | { readonly code: 'NotPaid' }
  | { readonly code: 'IsSupplement' }
  | { readonly code: 'OtherRugs'; readonly rugs: number }
  | { readonly code: 'InvalidRug'; readonly rugIndex: number; readonly reason: RugRejection }
  | { readonly code: 'NotReceived' }
  | { readonly code: 'NotReady' }
  | { readonly code: 'HandedOver' }
  /** The customer pays the asked difference at this moment. */
  | { readonly code: 'CustomerIsPaying' }
  /** Somebody measured again, or money moved. */
  | { readonly code: 'DifferenceChanged' }
  | { readonly code: 'NothingToUndo'; readonly step: IntakeStep };

type Decision = Result<readonly OrderEvent[], IntakeRejection>;

/** A repeated click records nothing. @param rates as the order was sold */
export function decide(command: IntakeCommand, family: Family, rates: Rates): Decision {
  const { order, supplements } = family;
  if (order.placed?.supplementOf !== undefined) return rejected({ code: 'IsSupplement' });
  if (order.refunds.captured === undefined) return rejected({ code: 'NotPaid' });
  const request = openRequest(family);
  const paying = request && supplements.get(request.supplementId);
  const isPaying = paying !== undefined && openAttempt(paying.payments) !== undefined;
  const withdrawn: readonly OrderEvent[] =
    request === undefined ? [] : [{ type: 'SupplementWithdrawn', supplementId: request.supplementId }];
  const isReceived = order.measurements.length > 0;
  switch (command.type) {
    case 'Receive': {
      const refusal = refuseSizes(command.sizes, order);
      if (refusal !== undefined) return rejected(refusal);
      if (isSameSizes(command.sizes, order.measurements.at(-1)?.sizes)) return ok([]);
      if (order.isHandedOver) return rejected({ code: 'HandedOver' });
      if (isPaying) return rejected({ code: 'CustomerIsPaying' });
      return ok([...withdrawn, { type: 'RugsReceived', sizes: command.sizes }]);
    }
    case 'Ask': {
      if (request !== undefined && request.amount === command.amount) return ok([]);
      if (isPaying) return rejected({ code: 'CustomerIsPaying' });
      const difference = currentDue(command, family, rates);
      if (difference === undefined) return rejected({ code: 'DifferenceChanged' });
      return ok([...withdrawn, ...asked(command, family, difference)]);
    }
    case 'Withdraw':
      return isPaying ? rejected({ code: 'CustomerIsPaying' }) : ok(withdrawn);
    case 'Waive':
      if (isWaived(order)) return ok([]);
      if (isPaying) return rejected({ code: 'CustomerIsPaying' });
      if (currentDue(command, family, rates) === undefined) return rejected({ code: 'DifferenceChanged' });
      return ok([...withdrawn, { type: 'DifferenceWaived', amount: command.amount, reason: command.reason }]);
    case 'MarkReady':
      if (!isReceived) return rejected({ code: 'NotReceived' });
      return ok(order.isReady ? [] : [{ type: 'OrderReady' }]);
    case 'HandOver':
      if (!order.isReady) return rejected({ code: 'NotReady' });
      return ok(order.isHandedOver ? [] : [{ type: 'OrderHandedOver' }]);
    case 'Undo': {
      const { step } = command;
      if (!canUndo(step, order)) return rejected({ code: 'NothingToUndo', step });
      if (step !== 'received') return ok([{ type: 'StepUndone', step }]);
      return isPaying ? rejected({ code: 'CustomerIsPaying' }) : ok([...withdrawn, { type: 'StepUndone', step }]);
    }
    default:
      return unreachable(command);
  }
}

function asked(
  { supplementId, amount, expiresOn }: Extract<IntakeCommand, { readonly type: 'Ask' }>,
  { order }: Family,
  difference: Difference,
): readonly OrderEvent[] {
  const waived: readonly OrderEvent[] = isWaived(order) ? [{ type: 'StepUndone', step: 'waived' }] : [];
  const charges = supplementCharges(difference);
  return [...waived, { type: 'SupplementRequested', supplementId, amount, charges, expiresOn }];
}

/** @returns undefined when the customer owes another amount than the person saw, or nothing. */
function currentDue({ measurement, amount }: Seen, family: Family, rates: Rates): Difference | undefined {
  const difference = differenceOf(family, rates);
  const isSeen = family.order.measurements.at(-1)?.number === measurement && difference?.due === amount && amount > 0;
  return isSeen ? difference : undefined;
}

function refuseSizes(sizes: readonly MeasuredSize[], { placed }: IntakeState): IntakeRejection | undefined {
  const rugs = placed?.rugs ?? [];
  if (sizes.length !== rugs.length) return { code: 'OtherRugs', rugs: rugs.length };
  for (const [rugIndex, rug] of rugs.entries()) {
    const checked = checkRug({ ...rug, ...sizes[rugIndex] });
    if (!checked.ok) return { code: 'InvalidRug', rugIndex, reason: checked.rejection };
  }
  return undefined;
}

function isSameSizes(sizes: readonly MeasuredSize[], others: readonly MeasuredSize[] | undefined): boolean {
  return (
    others !== undefined &&
    sizes.every(({ width, length }, index) => width === others[index]?.width && length === others[index]?.length)
  );
}

export function undoableSteps(order: IntakeState): readonly IntakeStep[] {
  return intakeSteps.filter((step) => canUndo(step, order));
}

/** Only the latest step. */
function canUndo(step: IntakeStep, order: IntakeState): boolean {
  switch (step) {
    case 'handed-over':
      return order.isHandedOver;
    case 'ready':
      return order.isReady && !order.isHandedOver;
    case 'waived':
      return isWaived(order);
    case 'received':
      return order.measurements.length > 0 && !order.isReady;
    default:
      return unreachable(step);
  }
}
