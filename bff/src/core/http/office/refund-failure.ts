import type { RefundHistoryRow } from '@kilim/domain/projection/refund-history';
import type { Refund } from '../../../../contract/refunds.ts';
import { requestNotProven } from '../../ledger/effects.ts';

type Explanation = {
  readonly message: string;
  readonly advice: string;
  /** Refunding it again cannot help. */
  readonly isFinal?: true;
};

const lookAtSquare = 'Please look at the payment in the Square dashboard.';
const tryAgain = 'Refund it again.';
const payAnotherWay = {
  advice: 'Pay it by check, cash or transfer, then record it on the order.',
  isFinal: true,
} as const;

const otherwise: Explanation = { message: 'Square did not carry the refund out.', advice: tryAgain };

const notAuthorized: Explanation = {
  message: 'Square does not accept this shop’s access token. Nothing was refunded.',
  advice: 'Please tell the person who runs the server to renew the access token, then refund again.',
};

const refused: Readonly<Record<string, Explanation>> = {
  REFUND_AMOUNT_INVALID: {
    message: 'Square says that this is more than is left of the payment.',
    advice: `Somebody may have made a refund in the Square dashboard. ${lookAtSquare}`,
  },
  REFUND_ALREADY_PENDING: {
    message: 'Square is still busy with an earlier refund of this payment.',
    advice: 'Wait until the earlier refund is completed, then refund again.',
  },
  PAYMENT_NOT_REFUNDABLE: { message: 'Square does not refund this payment.', advice: lookAtSquare },
  PAYMENT_NOT_REFUNDABLE_DUE_TO_DISPUTE: {
    message: 'The customer’s bank disputes this payment.',
    advice: 'Answer the dispute in the Square dashboard instead of refunding.',
  },
  REFUND_ERROR_PAYMENT_NEEDS_COMPLETION: {
    message: 'Square has not completed this payment yet.',
    advice: 'Wait a few minutes, then refund again.',
  },
  REFUND_DECLINED: { message: 'Square declined the refund.', ...payAnotherWay },
  RESERVATION_DECLINED: { message: 'The customer’s bank declined the refund.', ...payAnotherWay },
  INSUFFICIENT_PERMISSIONS_FOR_REFUND: {
    message: 'This shop’s access to Square does not allow refunds.',
    advice: 'Please tell whoever looks after the server: the access token lacks the right to refund.',
  },
  [requestNotProven]: {
    message: 'None of our servers requested this refund. Nothing was sent to Square.',
    advice: 'If the customer is to get this money, refund it again.',
  },
  UNAUTHORIZED: notAuthorized,
  ACCESS_TOKEN_EXPIRED: notAuthorized,
  ACCESS_TOKEN_REVOKED: notAuthorized,
};

const takenOnAndFailed: Explanation = {
  message: 'Square took the refund on and could not carry it out. The customer did not get this money.',
  ...payAnotherWay,
};

export function refundFailureMessage(code: string | undefined): string {
  return (refused[code ?? ''] ?? otherwise).message;
}

export function refundFailure({ failureCode = 'UNKNOWN', squareRefundId }: RefundHistoryRow): Refund['failure'] {
  const explained = squareRefundId === undefined ? (refused[failureCode] ?? otherwise) : takenOnAndFailed;
  return { code: failureCode, isFinal: false, ...explained };
}
