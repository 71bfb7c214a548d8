import { differenceOf, measuredRefund } from '@kilim/domain/intake/difference';
import { isWaived, openRequest } from '@kilim/domain/intake/family';
import { undoableSteps } from '@kilim/domain/intake/intake';
import { type Cents, cents } from '@kilim/domain/money';
import { refundableOf } from '@kilim/domain/order/refund';
import type { RugCharges } from '@kilim/domain/quote';
import type { Settings } from '@kilim/domain/settings/settings';
import type { Intake } from '../../../contract/intake.ts';
import { summaryOf } from '../../core/ledger/read.ts';
import type { ReadFamily } from '../family.ts';

export type AnswerWorld = { readonly settings: Settings['intake']; readonly shopUrl: string; readonly now: () => Date };

export function intakeAnswer(read: ReadFamily, { settings, shopUrl, now }: AnswerWorld): Intake {
  const { stream, family } = read;
  const request = openRequest(family);
  return {
    stage: summaryOf(stream.events)?.stage ?? 'waiting',
    measurement: measurementAnswer(read, settings.waiveBelow, now().toISOString()),
    request:
      request === undefined
        ? null
        : { amount: request.amount, expiresOn: request.expiresOn, url: supplementUrl(shopUrl, request.supplementId) },
    supplements: [...family.supplements].flatMap(([_id, { refunds }]) => {
      const { captured } = refunds;
      if (captured === undefined) return [];
      const { amount, capturedAt: paidAt, squarePaymentId } = captured;
      const isPaidInShop = squarePaymentId === undefined;
      return [{ _id, amount, paidAt, isPaidInShop, refundable: refundableOf(refunds) }];
    }),
    undoable: [...undoableSteps(family.order)],
    measuring: settings.measuring,
  };
}

export function supplementUrl(shopUrl: string, supplementId: string): string {
  return new URL(`/difference/${supplementId}`, shopUrl).href;
}

function measurementAnswer(
  { family, rates, placed }: ReadFamily,
  waiveBelow: Cents,
  askedAt: string,
): Intake['measurement'] {
  const difference = differenceOf(family, rates);
  if (difference === undefined) return null;
  const { measurement, quote, due } = difference;
  return {
    number: measurement.number,
    rugs: quote.rugs.map(({ rug: { width, length }, charges }, index) => ({
      size: { width, length },
      changes: changesOf(charges, placed.rugs[index]?.charges ?? charges),
    })),
    deliveryMinimumChange: cents(quote.lines.deliveryMinimum - placed.lines.deliveryMinimum),
    due,
    refund: measuredRefund(family, difference, askedAt)?.amount ?? null,
    isSmall: due > 0 && due < waiveBelow,
    isWaived: isWaived(family.order),
  };
}

function changesOf(measured: RugCharges, ordered: RugCharges): RugCharges {
  return {
    base: cents(measured.base - ordered.base),
    delivery: cents(measured.delivery - ordered.delivery),
    stainProtection: cents(measured.stainProtection - ordered.stainProtection),
    greenPad: cents(measured.greenPad - ordered.greenPad),
    salesTax: cents(measured.salesTax - ordered.salesTax),
  };
}
