import type { EventType } from '@kilim/domain/ledger-event';
import type { EventRow } from './event-row.ts';

export type InstantFault = {
  readonly code: /** The event happened after its recording, or so long before that its day is in doubt. */
    | 'InstantImplausible'
    /** It was recorded before an event that the ledger has before it. The first of several is named. */
    | 'RecordedOutOfOrder';
  readonly streamId: string;
  readonly version: number;
};

export type InstantCheck = {
  readonly follow: (event: EventRow, isDoubtful: boolean) => void;
  readonly end: () => CheckedInstants;
};

export type CheckedInstants = {
  /** Of events that no server with the key appended. */
  readonly faults: readonly InstantFault[];
  /**
   * Of all other events: the MAC covers the server's instant, so a clock was wrong. Recorded events stay for ever, and
   * ordinary operation must never end as a fault.
   */
  readonly warnings: readonly InstantFault[];
};

const hour = 3600 * 1_000_000;
const day = 24 * hour;

/** Clocks are set and servers fail over. */
const tolerance = hour;

/** The source limits how far an instant can be from its recording. */
type Clock = 'server' | 'Square' | 'payout' | 'person';

type Limits = { readonly before: number; readonly after: number };

/** A day more than the limits of `instantOf` and `arrivalOf`. */
const limits: Readonly<Record<Clock, Limits>> = {
  server: { before: day, after: tolerance },
  Square: { before: 401 * day, after: tolerance },
  /** The day of arrival may lie ahead. */
  payout: { before: 401 * day, after: 8 * day },
  /** A person names a past day, however long ago. */
  person: { before: Number.POSITIVE_INFINITY, after: tolerance },
};

/** A new event type does not compile until it has an entry here. */
const clockOf: Readonly<Record<EventType, Clock>> = {
  OrderPlaced: 'server',
  PaymentStarted: 'server',
  PaymentAuthorized: 'Square',
  PaymentCaptured: 'Square',
  PaymentDeclined: 'Square',
  PaymentVoided: 'Square',
  ProcessingFeeAssessed: 'Square',
  RefundRequested: 'server',
  RefundSubmitted: 'Square',
  RefundCompleted: 'Square',
  RefundFailed: 'Square',
  ExternalRefundRecorded: 'Square',
  CustomerPaid: 'server',
  CustomerReimbursed: 'person',
  RefundSplitCorrected: 'server',
  ExcessRefundFound: 'Square',
  DisputeOpened: 'Square',
  DisputeClosed: 'Square',
  OrphanPaymentFound: 'Square',
  OrphanPaymentReturned: 'Square',
  PickupAgreed: 'server',
  RugsReceived: 'server',
  SupplementRequested: 'server',
  SupplementWithdrawn: 'server',
  DifferenceWaived: 'server',
  OrderReady: 'server',
  OrderHandedOver: 'server',
  StepUndone: 'server',
  ContactErased: 'server',
  PayoutRecorded: 'payout',
  PayoutEntriesRecorded: 'payout',
  PayoutPaid: 'payout',
  PayoutFailed: 'payout',
  PeriodClosed: 'server',
  AccountsNamed: 'server',
  DifferenceExplained: 'server',
  OrphanRefundRequested: 'server',
  OrphanAssigned: 'server',
  OrphanWrittenOff: 'server',
  ClearingItemWrittenOff: 'server',
  ExplanationUndone: 'server',
  OrphanBookingUndone: 'server',
  ItemWriteOffUndone: 'server',
  PeriodReopened: 'server',
  PeriodCertified: 'server',
  SettingsChanged: 'server',
  PasswordChanged: 'server',
  AccountInvited: 'server',
  PasswordLinkIssued: 'server',
  AccountActivated: 'server',
  RoleChanged: 'server',
  AccountDisabled: 'server',
  AccountEnabled: 'server',
  SecondFactorAdded: 'server',
  SecondFactorRemoved: 'server',
  RecoveryCodesMade: 'server',
  SecondFactorReset: 'server',
  AccessChanged: 'server',
};

/**
 * Compares `occurred_at` with `recorded_at`, and `recorded_at` with the order of the ledger. An
 * append function that back-dates events would move them into another period, with matching hashes.
 */
export function createInstantCheck(): InstantCheck {
  const faults: InstantFault[] = [];
  const warnings: InstantFault[] = [];
  let newest = Number.NEGATIVE_INFINITY;
  let isBehind = false;
  return {
    follow: ({ streamId, version, type, occurredAt, recordedAt }, isDoubtful) => {
      const add = (code: InstantFault['code']) =>
        void (isDoubtful ? faults : warnings).push({ code, streamId, version });
      const early = recordedAt - occurredAt;
      if ((early > day || early < -tolerance) && !isPlausible(early, type)) add('InstantImplausible');
      const wasBehind = isBehind;
      isBehind = recordedAt < newest - tolerance;
      if (isBehind && !wasBehind) add('RecordedOutOfOrder');
      if (recordedAt > newest) newest = recordedAt;
    },
    end: () => ({ faults, warnings }),
  };
}

function isPlausible(early: number, type: string): boolean {
  const { before, after } = limits[Object.hasOwn(clockOf, type) ? clockOf[type as EventType] : 'server'];
  return early <= before && early >= -after;
}
