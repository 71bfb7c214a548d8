import type { EventType, LedgerEvent } from '../ledger-event.ts';
import type { Cents } from '../money.ts';
import type { PayoutEntry } from '../payout/events.ts';
import { unreachable } from '../unreachable.ts';

// The effect of each event on money. Exports, reports and the rebuild derive their lists of types from this table, and
// specs compare the migrations with it. A new event type does not compile without an entry.

/** Of the clearing account, which holds the money that Square has not paid out yet. */
export type Direction = 'in' | 'out';

/** The sums of the books, each with the direction of money that makes it larger. */
export const figures = {
  takings: 'in',
  refunds: 'out',
  fees: 'out',
  disputes: 'out',
  /** Receipts without an order, and refunds above the rest of an order. */
  unidentified: 'in',
  /** Other fees, reserves, and sales outside the ledger. */
  payoutEntries: 'in',
  writeOffs: 'in',
  bank: 'out',
} as const satisfies Record<string, Direction>;
export type Figure = keyof typeof figures;

/** Always, or only with this outcome or flag in its payload. */
export type MovingWhen = 'always' | 'won' | 'wasPaid';

type PendingRefunds = { readonly pendingRefunds?: 'adds' | 'subtracts' };

type NoMoney = { readonly amount: 'none'; readonly moves: 'never' };
/** The amount stays where it is. */
type StatedMoney = { readonly amount: Direction; readonly moves: 'never' } & PendingRefunds;
/** The amount changes the clearing account. */
type MovedMoney = {
  readonly amount: Direction;
  readonly moves: MovingWhen;
  readonly figure: Figure;
} & PendingRefunds;
/** The amount moves between other accounts. */
type ReassignedMoney = {
  readonly amount: Direction;
  readonly moves: 'never';
  readonly isReassigned: true;
  /** The shop itself gave it back, and the order counts it as refunded. */
  readonly isRefund?: true;
  /** The shop itself took it. */
  readonly isSale?: true;
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
  CustomerPaid: { amount: 'in', moves: 'never', isReassigned: true, isSale: true },
  PaymentDeclined: noMoney,
  PaymentVoided: noMoney,
  ProcessingFeeAssessed: { amount: 'out', moves: 'always', figure: 'fees' },
  RefundRequested: { amount: 'out', moves: 'never', pendingRefunds: 'adds' },
  RefundSubmitted: noMoney,
  RefundCompleted: { amount: 'out', moves: 'always', figure: 'refunds', pendingRefunds: 'subtracts' },
  RefundFailed: { amount: 'out', moves: 'never', pendingRefunds: 'subtracts' },
  ExternalRefundRecorded: { amount: 'out', moves: 'always', figure: 'refunds' },
  CustomerReimbursed: { amount: 'out', moves: 'never', isReassigned: true, isRefund: true },
  // Between refunds and sales tax.
  RefundSplitCorrected: { amount: 'out', moves: 'never', isReassigned: true },
  // A person has to explain it.
  ExcessRefundFound: { amount: 'out', moves: 'always', figure: 'unidentified' },
  DisputeOpened: { amount: 'out', moves: 'always', figure: 'disputes' },
  // The bank took the money of a lost dispute earlier.
  DisputeClosed: { amount: 'in', moves: 'won', figure: 'disputes' },
  OrphanPaymentFound: { amount: 'in', moves: 'always', figure: 'unidentified' },
  OrphanPaymentReturned: { amount: 'out', moves: 'always', figure: 'unidentified' },
  PickupAgreed: noMoney,
  RugsReceived: noMoney,
  // The supplement is an order of its own, and its payment moves the money.
  SupplementRequested: { amount: 'in', moves: 'never' },
  SupplementWithdrawn: noMoney,
  DifferenceWaived: { amount: 'in', moves: 'never' },
  OrderReady: noMoney,
  OrderHandedOver: noMoney,
  StepUndone: noMoney,
  ContactErased: noMoney,
  PayoutRecorded: { amount: 'in', moves: 'never' },
  // Entries that no event of an order has booked.
  PayoutEntriesRecorded: { amount: 'in', moves: 'always', figure: 'payoutEntries' },
  PayoutPaid: { amount: 'out', moves: 'always', figure: 'bank' },
  PayoutFailed: { amount: 'in', moves: 'wasPaid', figure: 'bank' },
  PeriodClosed: noMoney,
  AccountsNamed: noMoney,
  DifferenceExplained: noMoney,
  // `OrphanPaymentReturned` moves the money.
  OrphanRefundRequested: noMoney,
  OrphanAssigned: { amount: 'out', moves: 'never', isReassigned: true },
  OrphanWrittenOff: { amount: 'out', moves: 'never', isReassigned: true },
  // Negative when the account loses money.
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
export type TypeOf<Of extends Figure> = {
  [Type in EventType]: Table[Type] extends { readonly figure: Of } ? Type : never;
}[EventType];
export type EventOf<Of extends Figure> = Extract<LedgerEvent, { type: TypeOf<Of> }>;
type ReassigningType = {
  [Type in EventType]: Table[Type] extends { readonly isReassigned: true } ? Type : never;
}[EventType];
/** An event with an entry in the journal. */
export type BookedEvent = EventOf<Figure> | Extract<LedgerEvent, { type: ReassigningType }>;

const entries = Object.entries(moneyOfEvents) as readonly (readonly [EventType, MoneyOfEvent])[];
export const eventTypes: readonly EventType[] = entries.map(([type]) => type);
export const bookedTypes = eventTypes.filter(isBookedType);

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

/** Whether a booked event changes the clearing account. */
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

export type SumOfEvents = { readonly adds: readonly EventType[]; readonly subtracts: readonly EventType[] };

export function sumOf(figure: Figure): SumOfEvents {
  return sumTowards(figures[figure], [figure]);
}

/** What customers paid for orders, at Square and in the shop. */
export const salesOfOrders: SumOfEvents = {
  adds: [...sumOf('takings').adds, ...entries.flatMap(([type, money]) => ('isSale' in money ? [type] : []))],
  subtracts: [],
};

type SaleEvent = EventOf<'takings'> | Extract<BookedEvent, { readonly type: 'CustomerPaid' }>;

export function isSale(event: BookedEvent): event is SaleEvent {
  return salesOfOrders.adds.includes(event.type);
}

export const refundsOfOrders: SumOfEvents = {
  adds: [...sumOf('refunds').adds, ...entries.flatMap(([type, money]) => ('isRefund' in money ? [type] : []))],
  subtracts: [],
};

/** Their entries depend on the sales tax of an order's refunds. */
export const typesOfRefundEntries: readonly EventType[] = [...refundsOfOrders.adds, 'RefundSplitCorrected'];

/** The change of the clearing account by these figures. */
export function clearingSumOf(...wanted: readonly Figure[]): SumOfEvents {
  return sumTowards('in', wanted);
}

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
