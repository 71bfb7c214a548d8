import { type Cents, cents } from '@kilim/domain/money';
import type { SquareEntry } from '@kilim/domain/payout/events';
import type { SquarePayout } from '@kilim/domain/payout/payout';
import { z } from 'zod';
import type { Listed, PayoutLookupOutcome, Span } from './card-processor.ts';
import { unknown, withoutNulls } from './square-answer.ts';
import type { Ask } from './square-client.ts';
import { readAll } from './square-lists.ts';

export function listPayouts(ask: Ask, { from, to }: Span, locationId: string): Promise<Listed<SquarePayout>> {
  const request = { locationId, beginTime: from, endTime: to, sortOrder: 'ASC', limit: 100 } as const;
  return readAll(ask, {
    page: (client, place, deadline) => client.payouts.list({ ...request, ...place }, deadline),
    parse: (item) => squarePayout.safeParse(withoutNulls(item)).data,
  });
}

export async function getPayout(ask: Ask, squarePayoutId: string, locationId: string): Promise<PayoutLookupOutcome> {
  const asked = await ask((client, deadline) => client.payouts.get({ payoutId: squarePayoutId }, deadline));
  if (asked.kind === 'unknown') return asked;
  if (asked.kind === 'refused') return asked.code === 'NOT_FOUND' ? { kind: 'not-found' } : unknown(asked.code);
  const payout = payoutAnswer.safeParse(withoutNulls(asked.body)).data?.payout;
  const location = answerOfLocation.safeParse(asked.body).data?.payout.locationId;
  if (payout === undefined || location === undefined) return unknown('a 2xx without a readable payout');
  return location === locationId ? { kind: 'found', payout } : { kind: 'not-found' };
}

export function listPayoutEntries(ask: Ask, squarePayoutId: string): Promise<Listed<SquareEntry>> {
  const request = { payoutId: squarePayoutId, sortOrder: 'ASC', limit: 100 } as const;
  return readAll(ask, {
    page: (client, place, deadline) => client.payouts.listEntries({ ...request, ...place }, deadline),
    parse: (item) => squareEntry.safeParse(withoutNulls(item)).data,
  });
}

/** Unlike a payment's amount, a payout's can be negative. */
const money = z
  .object({ amount: z.bigint(), currency: z.literal('USD') })
  .transform(({ amount }): Cents => cents(Number(amount)));

const statuses = { SENT: 'sent', PAID: 'paid', FAILED: 'failed' } as const satisfies Record<
  string,
  SquarePayout['status']
>;

const squarePayout = z
  .object({
    id: z.string().min(1),
    status: z.enum(['SENT', 'PAID', 'FAILED']),
    type: z.enum(['BATCH', 'SIMPLE']),
    amountMoney: money,
    createdAt: z.string().min(1),
    updatedAt: z.string().min(1),
    arrivalDate: z.string().optional(),
    endToEndId: z.string().optional(),
  })
  .transform(
    (payout): SquarePayout => ({
      squarePayoutId: payout.id,
      status: statuses[payout.status],
      kind: payout.type === 'BATCH' ? 'batch' : 'simple',
      amount: payout.amountMoney,
      createdAt: payout.createdAt,
      updatedAt: payout.updatedAt,
      arrivalDate: payout.arrivalDate,
      endToEndId: payout.endToEndId,
    }),
  );

const payoutAnswer = z.object({ payout: squarePayout });
const answerOfLocation = z.object({ payout: z.object({ locationId: z.string() }) });

const optionalId = z.string().min(1).optional();
const ofPayment = z.object({ paymentId: optionalId }).optional();
const ofDispute = z.object({ paymentId: optionalId, disputeId: optionalId }).optional();

const squareEntry = z
  .object({
    id: z.string().min(1),
    // Unknown types are accepted: their money is part of the payout too.
    type: z.string().min(1),
    effectiveAt: z.string().optional(),
    grossAmountMoney: money,
    netAmountMoney: money,
    typeChargeDetails: ofPayment,
    typeFeeDetails: ofPayment,
    typeRefundDetails: z.object({ paymentId: optionalId, refundId: optionalId }).optional(),
    typeDisputeDetails: ofDispute,
    typeOpenDisputeDetails: ofDispute,
  })
  .transform((entry): SquareEntry => {
    const { grossAmountMoney: gross, netAmountMoney: net, typeRefundDetails: refund } = entry;
    const dispute = entry.typeDisputeDetails ?? entry.typeOpenDisputeDetails;
    const payment = entry.typeChargeDetails ?? entry.typeFeeDetails ?? refund ?? dispute;
    return {
      entryId: entry.id,
      activity: entry.type,
      gross,
      // Whatever is missing from the gross amount counts as a fee.
      fee: cents(gross - net),
      net,
      ...(entry.effectiveAt ? { effectiveAt: entry.effectiveAt } : {}),
      ...(payment?.paymentId ? { squarePaymentId: payment.paymentId } : {}),
      ...(refund?.refundId ? { squareRefundId: refund.refundId } : {}),
      ...(dispute?.disputeId ? { squareDisputeId: dispute.disputeId } : {}),
    };
  });
