import { chargeToWire } from '@kilim/bff/contract/refund-charges';
import type { RefundRequest } from '@kilim/bff/contract/refund-request';
import { type Cents, decimalDollars, formatDollars, noCents, parseDollars } from '@kilim/domain/money';
import type { RefundSplit } from '@kilim/domain/order/events';
import { allocate, type ChosenLines, splitOf, totalOf, totalOfChosen } from '@kilim/domain/order/refund-allocation';
import { unreachable } from '@kilim/domain/unreachable';
import {
  type Choice,
  type ChosenCharge,
  chosenLines,
  fittedLines,
  type Refundable,
  stillRefundable,
  withCharge,
  withDelivery,
  withRug,
} from './chosen-lines.ts';
import { refundTexts } from './texts.ts';

export type { Refundable };

export type RefundForm = Choice & {
  readonly refundType: 'full' | 'partial';
  /** Of a partial refund: the lines' sum, until another amount is typed. */
  readonly amountText: string;
  readonly reason: string;
  readonly notes: string;
};

export const emptyForm: RefundForm = {
  refundType: 'full',
  rugs: [],
  charges: [],
  deliveryMinimum: false,
  amountText: '',
  reason: '',
  notes: '',
};

export type FormEdit =
  | { readonly field: 'refundType'; readonly value: RefundForm['refundType'] }
  | { readonly field: 'rug'; readonly rugIndex: number; readonly chosen: boolean }
  | ({ readonly field: 'charge'; readonly chosen: boolean } & ChosenCharge)
  | { readonly field: 'delivery' | 'deliveryMinimum'; readonly chosen: boolean }
  | { readonly field: 'amountText' | 'reason' | 'notes'; readonly value: string };

export function edited(form: RefundForm, edit: FormEdit, left: Refundable): RefundForm {
  switch (edit.field) {
    case 'refundType':
      // A full refund chooses no lines (specification, section 4).
      return { ...form, refundType: edit.value, rugs: [], charges: [], deliveryMinimum: false, amountText: '' };
    case 'rug':
      return summed(withRug(form, edit), left);
    case 'charge':
      return summed(withCharge(form, left, edit), left);
    case 'delivery':
      return summed(withDelivery(form, left, edit.chosen), left);
    case 'deliveryMinimum':
      return summed({ ...form, deliveryMinimum: edit.chosen }, left);
    case 'amountText':
    case 'reason':
    case 'notes':
      return { ...form, [edit.field]: edit.value };
    default:
      return unreachable(edit);
  }
}

/** Lines without an amount are no longer chosen, and a sum follows the chosen lines. */
export function afterChange(form: RefundForm, before: Refundable, now: Refundable): RefundForm {
  if (form.refundType === 'full') return form;
  const wasSum = form.amountText === sumText(chosenLines(form, before));
  const kept = stillRefundable(form, now);
  return wasSum ? summed(kept, now) : kept;
}

function summed(form: RefundForm, left: Refundable): RefundForm {
  return { ...form, amountText: sumText(chosenLines(form, left)) };
}

function sumText(lines: ChosenLines): string {
  const sum = totalOfChosen(lines);
  return sum === 0 ? '' : decimalDollars(sum);
}

/** Undefined for an invalid text. */
export function amountOf(form: RefundForm, left: Refundable): Cents | undefined {
  return form.refundType === 'full' ? left.remaining : parseDollars(plainNumber(form.amountText));
}

/** However large. */
export function isDollars(text: string): boolean {
  return /^\d+(?:\.\d{1,2})?$/.test(plainNumber(text));
}

/** People write `$` and commas for thousands. */
function plainNumber(text: string): string {
  return text.replaceAll(/[$,\s\p{Cf}]/gu, '');
}

/** Chosen lines, fitted to a typed amount; none for a full refund. */
function linesOf(form: RefundForm, left: Refundable, amount: Cents): ChosenLines {
  return form.refundType === 'full' ? { rugs: [], deliveryMinimum: noCents } : fittedLines(form, left, amount);
}

/** As the server will book it; undefined while the amount is zero or too large. */
export function splitShown(form: RefundForm, left: Refundable): RefundSplit | undefined {
  const amount = amountOf(form, left);
  if (amount === undefined || amount < 1 || amount > totalOf(left.charges)) return undefined;
  return splitOf(allocate(left.charges, amount, linesOf(form, left, amount)));
}

export type FormProblem = {
  /** The specification's (sections 5 and 8). A wrong amount is told beside its box alone. */
  readonly toast?: { readonly title: string; readonly description: string };
  readonly fields: Readonly<Partial<Record<'amount' | 'reason', string>>>;
};

export function problemOf(form: RefundForm, left: Refundable): FormProblem | undefined {
  if (left.remaining <= 0) return { toast: refundTexts.notAllowed, fields: {} };
  const isAmountMissing = form.refundType === 'partial' && form.amountText.trim() === '';
  const isReasonMissing = form.reason.trim() === '';
  const wrongAmount = isAmountMissing ? refundTexts.missingAmount : wrongAmountText(form, left);
  if (wrongAmount === undefined && !isReasonMissing) return undefined;
  return {
    ...(isAmountMissing || isReasonMissing ? { toast: refundTexts.missing } : {}),
    fields: {
      ...(wrongAmount === undefined ? {} : { amount: wrongAmount }),
      ...(isReasonMissing ? { reason: refundTexts.missingReason } : {}),
    },
  };
}

function wrongAmountText(form: RefundForm, left: Refundable): string | undefined {
  if (form.refundType === 'partial' && !isDollars(form.amountText)) return refundTexts.invalidAmount.notDollars;
  const amount = amountOf(form, left);
  return amount === undefined || amount < 1
    ? refundTexts.invalidAmount.outside(formatDollars(left.total))
    : excessText(form, left);
}

/** While it is typed. */
export function excessText(form: RefundForm, left: Refundable): string | undefined {
  const isTooMuch = (amountOf(form, left) ?? noCents) > left.remaining;
  return isTooMuch ? refundTexts.invalidAmount.exceeds(formatDollars(left.remaining)) : undefined;
}

export function isTouched(form: RefundForm): boolean {
  return [form.amountText, form.reason, form.notes].some((text) => text.trim() !== '') || hasChosen(form);
}

/** @throws RangeError for a form that has a problem. */
export function requestOf(
  form: RefundForm,
  left: Refundable,
  identity: Pick<RefundRequest, 'paymentId' | 'idempotencyKey'>,
): RefundRequest {
  const amount = amountOf(form, left);
  if (amount === undefined || problemOf(form, left) !== undefined) throw new RangeError('This refund cannot be sent');
  const reason = form.reason.trim();
  const notes = form.notes.trim();
  const { charges = [], ...named } = linesOf(form, left, amount);
  return {
    ...identity,
    amount: decimalDollars(amount),
    reason,
    refundType: charges.length === 0 ? form.refundType : 'charges',
    ...(notes === '' ? {} : { adminNotes: notes }),
    ...(form.refundType === 'full'
      ? {}
      : {
          ...linesToWire({ ...named, charges }),
          rugItems: named.rugs.map((line) => ({
            rugIndex: line.rugIndex,
            amount: decimalDollars(line.amount),
            reason,
          })),
        }),
  };
}

export function chosenOnWire(form: RefundForm, left: Refundable, amount: Cents) {
  return linesToWire(linesOf(form, left, amount));
}

function linesToWire({ rugs, charges = [], deliveryMinimum }: ChosenLines) {
  return {
    rugItems: rugs.map(({ rugIndex, amount }) => ({ rugIndex, amount: decimalDollars(amount) })),
    ...(charges.length === 0
      ? {}
      : {
          charges: charges.map(({ rugIndex, charge, amount }) => ({
            rugIndex,
            charge: chargeToWire(charge),
            amount: decimalDollars(amount),
          })),
        }),
    deliveryMinimum: decimalDollars(deliveryMinimum),
  };
}

export function hasChosen({ rugs, charges, deliveryMinimum }: Choice): boolean {
  return rugs.length + charges.length > 0 || deliveryMinimum;
}
