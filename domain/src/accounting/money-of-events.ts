import type { EventType, LedgerEvent } from '../ledger-event.ts';
import type { Cents } from '../money.ts';
import type { PayoutEntry } from '../payout/events.ts';
import { unreachable } from '../unreachable.ts';

// This table states the effect of each event on money. Exports, statistics, reports, the rebuild and the comparison of
// the books derive their lists of event types from this table, and specs compare the SQL of the
// migrations with it. A new event type does not compile until it has an entry here.

/** As seen from the clearing account, which holds the money that Square has not paid out yet. */
export type Direction = 'in' | 'out';

/** The sums that the books distinguish, each with the direction of money that makes it larger. */
export const figures = {
  takings: 'in',
  refunds: 'out',
  fees: 'out',
  disputes: 'out',
  /** Receipts without an order, and refunds above what their orders had left. */
  unidentified: 'in',
  /** Money that only the entries of a payout show: other fees, reserves, sales outside Kilim. */
  payoutEntries: 'in',
  /** Open items of the clearing account that a person wrote off. */
  writeOffs: 'in',
  bank: 'out',
} as const satisfies Record<string, Direction>;
export type Figure = keyof typeof figures;

/** When an event moves its amount: always, or only with this outcome or flag in its payload. */
export type MovingWhen = 'always' | 'won' | 'wasPaid';

/** Whether an event adds its amount to the pending refunds, or subtracts it. */
type PendingRefunds = { readonly pendingRefunds?: 'adds' | 'subtracts' };

type NoMoney = { readonly amount: 'none'; readonly moves: 'never' };
/** The event has an amount, which stays where it is. */
type StatedMoney = { readonly amount: Direction; readonly moves: 'never' } & PendingRefunds;
/** The event changes the clearing account by its amount. */
type MovedMoney = {
  readonly amount: Direction;
  readonly moves: MovingWhen;
  readonly figure: Figure;
} & PendingRefunds;
/** The event is booked, and its amount moves between accounts other than the clearing account. */
type ReassignedMoney = {
  readonly amount: Direction;
  readonly moves: 'never';
  readonly isReassigned: true;
  /** The money came from the shop itself, and the order counts it as refunded. */
  readonly isRefund?: true;
};
export type MoneyOfEvent = NoMoney | StatedMoney | MovedMoney | ReassignedMoney;

type EventWithMoney = Extract<
  LedgerEvent,
  { readonly amount: Cents } | { readonly total: Cents } | { readonly entries: readonly PayoutEntry[] }
>;
type MoneyOf<Type extends EventType> = Type extends EventWithMoney['type']
  ? StatedMoney | MovedMoney | ReassignedMoney
  : NoMoney;

const noMoney = { amount: 'none', moves: 'never' } as const;

export const moneyOfEvents = {
  OrderPlaced: { amount: 'in', moves: 'never' },
  PaymentStarted: { amount: 'in', moves: 'never' },
  PaymentAuthorized: noMoney,
  PaymentCaptured: { amount: 'in', moves: 'always', figure: 'takings' },
  PaymentDeclined: noMoney,
  PaymentVoided: noMoney,
  ProcessingFeeAssessed: { amount: 'out', moves: 'always', figure: 'fees' },
  RefundRequested: { amount: 'out', moves: 'never', pendingRefunds: 'adds' },
  RefundSubmitted: noMoney,
  RefundCompleted: { amount: 'out', moves: 'always', figure: 'refunds', pendingRefunds: 'subtracts' },
  RefundFailed: { amount: 'out', moves: 'never', pendingRefunds: 'subtracts' },
  ExternalRefundRecorded: { amount: 'out', moves: 'always', figure: 'refunds' },
  CustomerReimbursed: { amount: 'out', moves: 'never', isReassigned: true, isRefund: true },
  // Between the refunds and the sales tax that they gave back.
  RefundSplitCorrected: { amount: 'out', moves: 'never', isReassigned: true },
  // No refund of a sale: a person has to explain it.
  ExcessRefundFound: { amount: 'out', moves: 'always', figure: 'unidentified' },
  DisputeOpened: { amount: 'out', moves: 'always', figure: 'disputes' },
  // A lost dispute was booked when the bank took the money back.
  DisputeClosed: { amount: 'in', moves: 'won', figure: 'disputes' },
  OrphanPaymentFound: { amount: 'in', moves: 'always', figure: 'unidentified' },
  OrphanPaymentReturned: { amount: 'out', moves: 'always', figure: 'unidentified' },
  ContactErased: noMoney,
  PayoutRecorded: { amount: 'in', moves: 'never' },
  // Its amount is what the entries change and no order's event has booked.
  PayoutEntriesRecorded: { amount: 'in', moves: 'always', figure: 'payoutEntries' },
  PayoutPaid: { amount: 'out', moves: 'always', figure: 'bank' },
  PayoutFailed: { amount: 'in', moves: 'wasPaid', figure: 'bank' },
  PeriodClosed: noMoney,
  AccountsNamed: noMoney,
  DifferenceExplained: noMoney,
  // The completed refund moves the money: `OrphanPaymentReturned`.
  OrphanRefundRequested: noMoney,
  OrphanAssigned: { amount: 'out', moves: 'never', isReassigned: true },
  OrphanWrittenOff: { amount: 'out', moves: 'never', isReassigned: true },
  // Its amount is negative when the account loses money.
  ClearingItemWrittenOff: { amount: 'in', moves: 'always', figure: 'writeOffs' },
  ExplanationUndone: noMoney,
  OrphanBookingUndone: { amount: 'in', moves: 'never', isReassigned: true },
  ItemWriteOffUndone: { amount: 'out', moves: 'always', figure: 'writeOffs' },
  PeriodReopened: noMoney,
  PeriodCertified: noMoney,
  SettingsChanged: noMoney,
  PasswordChanged: noMoney,
  AccountInvited: noMoney,
  PasswordLinkIssued: noMoney,
  AccountActivated: noMoney,
  RoleChanged: noMoney,
  AccountDisabled: noMoney,
  AccountEnabled: noMoney,
  SecondFactorAdded: noMoney,
  SecondFactorRemoved: noMoney,
  RecoveryCodesMade: noMoney,
  SecondFactorReset: noMoney,
  AccessChanged: noMoney,
} as const satisfies { readonly [Type in EventType]: MoneyOf<Type> };

type Table = typeof moneyOfEvents;
/** The types of the events that one figure adds up. */
export type TypeOf<Of extends Figure> = {
  [Type in EventType]: Table[Type] extends { readonly figure: Of } ? Type : never;
}[EventType];
export type EventOf<Of extends Figure> = Extract<LedgerEvent, { type: TypeOf<Of> }>;
type ReassigningType = {
  [Type in EventType]: Table[Type] extends { readonly isReassigned: true } ? Type : never;
}[EventType];
/** An event with an entry in the journal. All others are booked as nothing. */
export type BookedEvent = EventOf<Figure> | Extract<LedgerEvent, { type: ReassigningType }>;

const entries = Object.entries(moneyOfEvents) as readonly (readonly [EventType, MoneyOfEvent])[];
export const eventTypes: readonly EventType[] = entries.map(([type]) => type);
export const bookedTypes = eventTypes.filter(isBookedType);

/** The types of the events that any of these figures adds up. */
export function typesOf<Of extends Figure>(...wanted: readonly Of[]): readonly TypeOf<Of>[] {
  const sums: readonly Figure[] = wanted;
  return entries.flatMap(([type, money]) =>
    'figure' in money && sums.includes(money.figure) ? [type as TypeOf<Of>] : [],
  );
}

export function isBooked(event: LedgerEvent): event is BookedEvent {
  return isBookedType(event.type);
}

function isBookedType(type: EventType): type is BookedEvent['type'] {
  const money = moneyOfEvents[type];
  return 'figure' in money || 'isReassigned' in money;
}

export function isOf<Of extends Figure>(figure: Of, event: BookedEvent): event is EventOf<Of> & BookedEvent {
  const money = moneyOfEvents[event.type];
  return 'figure' in money && money.figure === figure;
}

/** Whether a booked event changes the clearing account. Some events do so only with one outcome, some never. */
export function moves(event: BookedEvent): boolean {
  const when = moneyOfEvents[event.type].moves;
  switch (when) {
    case 'always':
      return true;
    case 'never':
      return false;
    case 'won':
      return 'outcome' in event && event.outcome === 'won';
    case 'wasPaid':
      return 'wasPaid' in event && event.wasPaid;
    default:
      return unreachable(when);
  }
}

/** A sum over the amounts of some types of events. */
export type SumOfEvents = { readonly adds: readonly EventType[]; readonly subtracts: readonly EventType[] };

export function sumOf(figure: Figure): SumOfEvents {
  return sumTowards(figures[figure], [figure]);
}

/** The refunded amounts of orders, by Square and by the shop itself. */
export const refundsOfOrders: SumOfEvents = {
  adds: [...sumOf('refunds').adds, ...entries.flatMap(([type, money]) => ('isRefund' in money ? [type] : []))],
  subtracts: [],
};

/** The events whose entries depend on the sales tax of an order's refunds. */
export const typesOfRefundEntries: readonly EventType[] = [...refundsOfOrders.adds, 'RefundSplitCorrected'];

/** The change of the clearing account by the events of these figures. */
export function clearingSumOf(...wanted: readonly Figure[]): SumOfEvents {
  return sumTowards('in', wanted);
}

/** The amounts of refunds that are requested and not settled. */
export const pendingRefunds: SumOfEvents = { adds: pendingTypes('adds'), subtracts: pendingTypes('subtracts') };

function sumTowards(direction: Direction, wanted: readonly Figure[]): SumOfEvents {
  const types = typesOf(...wanted);
  return {
    adds: types.filter((type) => moneyOfEvents[type].amount === direction),
    subtracts: types.filter((type) => moneyOfEvents[type].amount !== direction),
  };
}

function pendingTypes(change: 'adds' | 'subtracts'): readonly EventType[] {
  return entries.flatMap(([type, money]) =>
    'pendingRefunds' in money && money.pendingRefunds === change ? [type] : [],
  );
}
