/** What the server uses of Square's JSON, with its field names. */

export type Money = { readonly amount: number; readonly currency: string };

export type WireError = {
  readonly category: string;
  readonly code: string;
  readonly detail: string;
  readonly field?: string;
};

export type PaymentStatus = 'APPROVED' | 'PENDING' | 'COMPLETED' | 'CANCELED' | 'FAILED';
export type RefundStatus = 'PENDING' | 'COMPLETED' | 'REJECTED' | 'FAILED';

export type WirePayment = {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly amount_money: Money;
  readonly total_money: Money;
  readonly approved_money: Money;
  readonly status: PaymentStatus;
  readonly delay_duration: string;
  readonly delay_action: 'CANCEL' | 'COMPLETE';
  readonly delayed_until: string;
  readonly source_type: 'CARD';
  readonly card_details: WireCardDetails;
  readonly location_id: string;
  readonly order_id: string;
  readonly reference_id?: string;
  readonly note?: string;
  readonly buyer_email_address?: string;
  readonly risk_evaluation: {
    readonly created_at: string;
    /** Square's schema requires it and does not describe it. */
    readonly status: string;
    readonly risk_level: 'NORMAL' | 'MODERATE' | 'HIGH';
  };
  readonly processing_fee?: readonly ProcessingFee[];
  readonly refunded_money?: Money;
  readonly refund_ids?: readonly string[];
  readonly receipt_number?: string;
  readonly receipt_url?: string;
  readonly application_details: {
    readonly square_product: 'ECOMMERCE_API' | 'SQUARE_POS';
    readonly application_id: string;
  };
  readonly version_token: string;
};

export type ProcessingFee = {
  readonly effective_at: string;
  readonly type: 'INITIAL';
  readonly amount_money: Money;
};

export type WireCardDetails = {
  readonly status: 'AUTHORIZED' | 'CAPTURED' | 'VOIDED' | 'FAILED';
  readonly card: {
    readonly card_brand: string;
    readonly last_4: string;
    readonly exp_month: number;
    readonly exp_year: number;
    readonly fingerprint: string;
    readonly card_type: 'CREDIT';
    readonly prepaid_type: 'NOT_PREPAID';
    readonly bin: string;
  };
  readonly entry_method: 'KEYED';
  readonly cvv_status: 'CVV_ACCEPTED' | 'CVV_REJECTED';
  readonly avs_status: 'AVS_ACCEPTED' | 'AVS_REJECTED';
  readonly statement_description: string;
  readonly card_payment_timeline: {
    readonly authorized_at?: string;
    readonly captured_at?: string;
    readonly voided_at?: string;
  };
  readonly errors?: readonly WireError[];
};

export type WireRefund = {
  readonly id: string;
  readonly status: RefundStatus;
  readonly amount_money: Money;
  readonly payment_id: string;
  readonly order_id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly location_id: string;
  readonly destination_type: 'CARD';
  readonly reason?: string;
};

/** During an inquiry the bank only asks. A chargeback (`EVIDENCE_REQUIRED`) takes the money. */
export const disputeStates = [
  'INQUIRY_EVIDENCE_REQUIRED',
  'INQUIRY_PROCESSING',
  'INQUIRY_CLOSED',
  'EVIDENCE_REQUIRED',
  'PROCESSING',
  'WON',
  'LOST',
  'ACCEPTED',
] as const;
export type DisputeState = (typeof disputeStates)[number];

export type WireDispute = {
  readonly id: string;
  readonly dispute_id: string;
  readonly amount_money: Money;
  readonly reason: string;
  readonly state: DisputeState;
  readonly due_at: string;
  readonly disputed_payment: { readonly payment_id: string };
  readonly card_brand: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly location_id: string;
};

export type PayoutStatus = 'SENT' | 'PAID' | 'FAILED';

export type WirePayout = {
  readonly id: string;
  readonly status: PayoutStatus;
  readonly location_id: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** Negative when Square collects money from the bank. */
  readonly amount_money: Money;
  readonly destination: { readonly type: 'BANK_ACCOUNT'; readonly id: string };
  readonly version: number;
  readonly type: 'BATCH';
  readonly arrival_date: string;
  readonly end_to_end_id: string;
};

export type WirePayoutEntry = {
  readonly id: string;
  readonly payout_id: string;
  readonly effective_at: string;
  /** Square's: `CHARGE`, `REFUND`, `DISPUTE`, `RESERVE_HOLD`. */
  readonly type: string;
  readonly gross_amount_money: Money;
  readonly fee_amount_money: Money;
  /** Without the fee. */
  readonly net_amount_money: Money;
  readonly type_charge_details?: { readonly payment_id: string };
  readonly type_refund_details?: { readonly payment_id: string; readonly refund_id: string };
  readonly type_dispute_details?: { readonly payment_id: string; readonly dispute_id: string };
};

export type WireEvent = {
  readonly merchant_id: string;
  readonly location_id: string;
  readonly type: EventType;
  readonly event_id: string;
  readonly created_at: string;
  readonly data: {
    readonly type: 'payment' | 'refund' | 'dispute' | 'payout';
    readonly id: string;
    readonly object:
      | { readonly payment: WirePayment }
      | { readonly refund: WireRefund }
      | { readonly dispute: WireDispute }
      | { readonly payout: WirePayout }
      /** Of a hostile local Square. */
      | Readonly<Record<string, object>>;
  };
};

export type EventType =
  | 'payment.created'
  | 'payment.updated'
  | 'refund.created'
  | 'refund.updated'
  | 'dispute.created'
  | 'dispute.state.updated'
  | `payout.${Lowercase<PayoutStatus>}`;

/** Before a fault changes it. */
export type Answer = { readonly status: number; readonly body: object };

export function respond({ status, body }: Answer): Response {
  return Response.json(body, { status });
}

export function answerError(status: number, error: WireError): Answer {
  return { status, body: { errors: [error] } };
}

/** For a request that Square would call malformed or impossible. */
export function invalid(code: string, detail: string, field?: string): Answer {
  const error = { category: 'INVALID_REQUEST_ERROR', code, detail };
  return answerError(code === 'NOT_FOUND' ? 404 : 400, field === undefined ? error : { ...error, field });
}
