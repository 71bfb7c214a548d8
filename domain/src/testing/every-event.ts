import { usualChart } from '../accounting/chart.ts';
import type { Day } from '../day.ts';
import type { EventType, LedgerEvent } from '../ledger-event.ts';
import { cents } from '../money.ts';
import type { OrderEvent } from '../order/events.ts';
import { builtInSettingsFor } from '../settings/settings.ts';
import * as orders from './orders.ts';
import * as payouts from './payouts.ts';

const { disputeWonA } = orders;
const { payoutFailedA } = payouts;
const business = { name: 'Kilim', phone: '', bookingUrl: '', dropOffSites: [] };

/** Every type of event, with every outcome that decides about money. A new type does not compile without a sample. */
export const everyEvent: {
  readonly [Type in EventType]: readonly [
    Extract<LedgerEvent, { type: Type }>,
    ...Extract<LedgerEvent, { type: Type }>[],
  ];
} = {
  OrderPlaced: [orders.orderAPlaced],
  PaymentStarted: [orders.startedA],
  PaymentAuthorized: [orders.authorizedA],
  PaymentCaptured: [orders.capturedA],
  CustomerPaid: [orders.paidInShopA],
  PaymentDeclined: [orders.declinedA],
  PaymentVoided: [orders.voidedA],
  ProcessingFeeAssessed: [orders.feeA],
  RefundRequested: [orders.refundOfFirstRug],
  RefundSubmitted: [orders.submittedA],
  RefundCompleted: [orders.completedA],
  RefundFailed: [orders.failedA],
  ExternalRefundRecorded: [orders.externalRefundA],
  CustomerReimbursed: [orders.reimbursedA],
  RefundSplitCorrected: [orders.splitCorrectedA, { ...orders.splitCorrectedA, reason: 'Goodwill' }],
  ExcessRefundFound: [orders.excessRefundA],
  DisputeOpened: [orders.disputeOpenedA],
  DisputeClosed: [disputeWonA, { ...disputeWonA, outcome: 'lost' }, { ...disputeWonA, outcome: 'accepted' }],
  OrphanPaymentFound: [orders.orphanA],
  OrphanPaymentReturned: [orders.orphanReturnedA],
  PickupAgreed: [orders.pickupAgreedA],
  RugsReceived: [orders.rugsReceivedA],
  SupplementRequested: [orders.supplementRequestedA],
  SupplementWithdrawn: [orders.supplementWithdrawnA],
  DifferenceWaived: [orders.differenceWaivedA],
  OrderReady: [orders.orderReadyA],
  OrderHandedOver: [orders.handedOverA],
  StepUndone: [
    { type: 'StepUndone', step: 'received' },
    { type: 'StepUndone', step: 'waived' },
    orders.readyUndoneA,
    { type: 'StepUndone', step: 'handed-over' },
  ],
  ContactErased: [orders.contactErasedA],
  PayoutRecorded: [payouts.payoutRecordedA],
  PayoutEntriesRecorded: [payouts.payoutEntriesA],
  PayoutPaid: [payouts.payoutPaidA],
  PayoutFailed: [payoutFailedA, { ...payoutFailedA, wasPaid: false }],
  PeriodClosed: [
    {
      type: 'PeriodClosed',
      through: '2026-10-31' as Day,
      timeZone: 'America/Los_Angeles',
      endsAt: '2026-11-01T07:00:00Z',
      horizon: { epoch: 1, xid: '900' },
      chart: usualChart,
      by: 'admin',
    },
  ],
  PeriodReopened: [
    { type: 'PeriodReopened', closing: 1, through: '2026-10-31' as Day, reason: 'late-facts', by: 'admin' },
  ],
  PeriodCertified: [
    {
      type: 'PeriodCertified',
      closing: 1,
      from: '2026-10-01' as Day,
      through: '2026-10-31' as Day,
      exportEdition: 1,
      counts: { events: 40, bookings: 9, late: 1 },
      balances: [{ account: 'clearing', debit: cents(170_277), credit: cents(65_609) }],
      files: [
        {
          format: 'general-ledger-csv',
          fileName: 'kilim-general-ledger-2026-10-01-to-2026-10-31.csv',
          bytes: 4096,
          sha256: 'ab'.repeat(32),
        },
      ],
      openPoints: [{ point: 'fees', count: 1 }],
    },
  ],
  AccountsNamed: [{ type: 'AccountsNamed', chart: usualChart, by: 'admin' }],
  SettingsChanged: [
    {
      type: 'SettingsChanged',
      version: 1,
      settings: { ...builtInSettingsFor(business).settings, firstDay: { settled: ['terms'], isHidden: false } },
      by: 'admin',
    },
  ],
  DifferenceExplained: [
    {
      type: 'DifferenceExplained',
      code: 'RefundNotAtSquare',
      squareId: 'refund-a',
      stated: cents(700),
      reason: 'SettledAtSquare',
      by: 'admin',
    },
  ],
  OrphanRefundRequested: [
    {
      type: 'OrphanRefundRequested',
      squarePaymentId: 'payment-a',
      stated: cents(500),
      reason: 'TestPayment',
      by: 'admin',
    },
  ],
  OrphanAssigned: [
    {
      type: 'OrphanAssigned',
      squarePaymentId: 'payment-a',
      orderId: orders.orderAPlaced.orderId,
      amount: cents(500),
      reason: 'AgreedWithCustomer',
      by: 'admin',
    },
  ],
  OrphanWrittenOff: [
    { type: 'OrphanWrittenOff', squarePaymentId: 'payment-a', amount: cents(500), reason: 'TooSmall', by: 'admin' },
    {
      type: 'OrphanWrittenOff',
      squarePaymentId: 'payment-a',
      amount: cents(-200),
      reason: 'SettledAtSquare',
      by: 'admin',
    },
  ],
  ClearingItemWrittenOff: [
    {
      type: 'ClearingItemWrittenOff',
      squarePaymentId: 'payment-a',
      amount: cents(-70),
      reason: 'TooSmall',
      by: 'admin',
    },
  ],
  ExplanationUndone: [
    {
      type: 'ExplanationUndone',
      undoes: 1,
      code: 'RefundNotAtSquare',
      squareId: 'refund-a',
      stated: cents(700),
      by: 'admin',
    },
  ],
  OrphanBookingUndone: [
    {
      type: 'OrphanBookingUndone',
      undoes: 1,
      squarePaymentId: 'payment-a',
      orderId: orders.orderAPlaced.orderId,
      amount: cents(500),
      by: 'admin',
    },
    { type: 'OrphanBookingUndone', undoes: 1, squarePaymentId: 'payment-a', amount: cents(500), by: 'admin' },
  ],
  ItemWriteOffUndone: [
    { type: 'ItemWriteOffUndone', undoes: 1, squarePaymentId: 'payment-a', amount: cents(-70), by: 'admin' },
  ],
  PasswordChanged: [{ type: 'PasswordChanged', username: 'admin', how: 'changed', endedSessions: 1 }],
  AccountInvited: [{ type: 'AccountInvited', username: 'ben', role: 'clerk' }],
  PasswordLinkIssued: [{ type: 'PasswordLinkIssued', username: 'ben', purpose: 'reset' }],
  AccountActivated: [{ type: 'AccountActivated', username: 'ben' }],
  RoleChanged: [{ type: 'RoleChanged', username: 'ben', from: 'clerk', to: 'accountant', endedSessions: 1 }],
  AccountDisabled: [{ type: 'AccountDisabled', username: 'ben', endedSessions: 1, revokedTokens: 2 }],
  AccountEnabled: [{ type: 'AccountEnabled', username: 'ben' }],
  SecondFactorAdded: [{ type: 'SecondFactorAdded', username: 'admin', kind: 'passkey' }],
  SecondFactorRemoved: [{ type: 'SecondFactorRemoved', username: 'admin', kind: 'one-time-code' }],
  RecoveryCodesMade: [{ type: 'RecoveryCodesMade', username: 'admin', count: 10 }],
  SecondFactorReset: [{ type: 'SecondFactorReset', username: 'admin', endedSessions: 2 }],
  AccessChanged: [
    {
      type: 'AccessChanged',
      username: 'ben',
      before: null,
      after: {
        role: 'clerk',
        state: 'invited',
        password: '5e'.repeat(32),
        passkeys: null,
        oneTimeCode: null,
        recoveryCodes: null,
        link: 'a1'.repeat(32),
      },
    },
  ],
};

export const eventSamples: readonly (readonly [name: string, event: LedgerEvent])[] = Object.values(everyEvent)
  .flat()
  .map((event) => [nameOf(event), event]);

function nameOf(event: LedgerEvent): string {
  if (event.type === 'DisputeClosed') return `${event.type}, ${event.outcome}`;
  if (event.type === 'PayoutFailed') return `${event.type}, ${event.wasPaid ? 'paid before' : 'never paid'}`;
  return event.type;
}

const paid = [orders.orderAPlaced, orders.startedA, orders.authorizedA, orders.capturedA] as const;
type OrderSample = Extract<LedgerEvent, { type: keyof typeof eventsBefore }>;

const eventsBefore = {
  OrderPlaced: [],
  PaymentStarted: paid.slice(0, 1),
  PaymentAuthorized: paid.slice(0, 2),
  PaymentCaptured: paid.slice(0, 3),
  // Only differences are paid in the shop.
  CustomerPaid: [{ ...orders.orderAPlaced, supplementOf: orders.supplementA }],
  PaymentDeclined: paid.slice(0, 2),
  PaymentVoided: paid.slice(0, 3),
  ProcessingFeeAssessed: paid,
  RefundRequested: paid,
  RefundSubmitted: [...paid, orders.refundOfFirstRug],
  RefundCompleted: [...paid, orders.refundOfFirstRug],
  RefundFailed: [...paid, orders.refundOfFirstRug],
  ExternalRefundRecorded: paid,
  CustomerReimbursed: paid,
  RefundSplitCorrected: [...paid, orders.externalRefundA],
  ExcessRefundFound: paid,
  DisputeOpened: paid,
  DisputeClosed: [...paid, orders.disputeOpenedA],
  OrphanPaymentFound: paid,
  OrphanPaymentReturned: [...paid, orders.orphanA],
  PickupAgreed: paid,
  RugsReceived: paid,
  SupplementRequested: [...paid, orders.rugsReceivedA],
  SupplementWithdrawn: [...paid, orders.rugsReceivedA, orders.supplementRequestedA],
  DifferenceWaived: [...paid, orders.rugsReceivedA],
  OrderReady: [...paid, orders.rugsReceivedA],
  OrderHandedOver: [...paid, orders.rugsReceivedA, orders.orderReadyA],
  StepUndone: [...paid, orders.rugsReceivedA, orders.orderReadyA],
  ContactErased: paid,
} satisfies Record<OrderEvent['type'], readonly OrderEvent[]>;

export function isOrderSample(event: LedgerEvent): event is OrderSample {
  return event.type in eventsBefore;
}

export function historyBefore(event: OrderSample): readonly OrderEvent[] {
  return eventsBefore[event.type];
}
