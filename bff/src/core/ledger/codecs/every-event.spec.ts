import type { BooksEvent } from '@kilim/domain/accounting/books';
import type { ClosingsEvent } from '@kilim/domain/accounting/closings';
import type { ResolutionEvent } from '@kilim/domain/accounting/resolutions';
import type { OrderEvent } from '@kilim/domain/order/events';
import type { PayoutEvent } from '@kilim/domain/payout/events';
import type { AccessChanged } from '@kilim/domain/people/access';
import type { AdminEvent } from '@kilim/domain/people/people';
import type { SettingsChanged } from '@kilim/domain/settings/settings';
import { storedEvents } from '@kilim/lab/testing/stored-events';
import { expect, test } from 'vitest';
import { accessCodec } from './access.ts';
import { adminCodec } from './admin.ts';
import { booksCodec } from './books.ts';
import { closingsCodec } from './closings.ts';
import type { Codec, EncodedEvent, StoredEvent } from './codec.ts';
import { orderCodec } from './order.ts';
import { payoutCodec } from './payout.ts';
import { resolutionsCodec } from './resolutions.ts';
import { settingsCodec } from './settings.ts';

// Stored events stay readable for ever, in every stream. An event that is new to the domain does not compile here, and
// fails until a line of stored-events.txt has its payload.

type LedgerEvent =
  | OrderEvent
  | PayoutEvent
  | BooksEvent
  | ResolutionEvent
  | ClosingsEvent
  | SettingsChanged
  | AdminEvent
  | AccessChanged;

/** Reads a stored event and encodes it again, as this program does today. */
type Rewrite = (stored: StoredEvent) => EncodedEvent;

function rewriteBy<Event extends LedgerEvent>({ encode, decode }: Codec<Event>): Rewrite {
  return (stored) => encode(decode(stored));
}

const order = rewriteBy(orderCodec);
const payout = rewriteBy(payoutCodec);
const books = rewriteBy(booksCodec);
const admin = rewriteBy(adminCodec);
const resolution = rewriteBy(resolutionsCodec);

const rewrites = {
  OrderPlaced: order,
  PaymentStarted: order,
  PaymentAuthorized: order,
  PaymentCaptured: order,
  CustomerPaid: order,
  PaymentDeclined: order,
  PaymentVoided: order,
  ProcessingFeeAssessed: order,
  RefundRequested: order,
  RefundSubmitted: order,
  RefundCompleted: order,
  RefundFailed: order,
  ExternalRefundRecorded: order,
  CustomerReimbursed: order,
  RefundSplitCorrected: order,
  ExcessRefundFound: order,
  DisputeOpened: order,
  DisputeClosed: order,
  OrphanPaymentFound: order,
  OrphanPaymentReturned: order,
  PickupAgreed: order,
  RugsReceived: order,
  SupplementRequested: order,
  SupplementWithdrawn: order,
  DifferenceWaived: order,
  OrderReady: order,
  OrderHandedOver: order,
  StepUndone: order,
  ContactErased: order,
  PayoutRecorded: payout,
  PayoutEntriesRecorded: payout,
  PayoutPaid: payout,
  PayoutFailed: payout,
  PeriodClosed: books,
  AccountsNamed: books,
  DifferenceExplained: resolution,
  OrphanRefundRequested: resolution,
  OrphanAssigned: resolution,
  OrphanWrittenOff: resolution,
  ClearingItemWrittenOff: resolution,
  ExplanationUndone: resolution,
  OrphanBookingUndone: resolution,
  ItemWriteOffUndone: resolution,
  PeriodReopened: rewriteBy(closingsCodec),
  PeriodCertified: rewriteBy(closingsCodec),
  SettingsChanged: rewriteBy(settingsCodec),
  PasswordChanged: admin,
  AccountInvited: admin,
  PasswordLinkIssued: admin,
  AccountActivated: admin,
  RoleChanged: admin,
  AccountDisabled: admin,
  AccountEnabled: admin,
  SecondFactorAdded: admin,
  SecondFactorRemoved: admin,
  RecoveryCodesMade: admin,
  SecondFactorReset: admin,
  AccessChanged: rewriteBy(accessCodec),
} satisfies Record<LedgerEvent['type'], Rewrite>;

test.each(storedEvents.map((stored) => [stored.type, stored] as const))(
  '%s is read, and encodes to the same text, or to a newer version',
  (type, stored) => {
    const rewrite: Rewrite | undefined = Object.hasOwn(rewrites, type)
      ? rewrites[type as keyof typeof rewrites]
      : undefined;
    const today = rewrite?.(stored);
    expect(today?.type).toBe(type);
    if (today?.schemaVersion === stored.schemaVersion) expect(today.payload).toBe(stored.payload);
    else expect(today?.schemaVersion).toBeGreaterThan(stored.schemaVersion);
  },
);

test.each(Object.entries(rewrites))('%s is stored in each version up to the newest', (type, rewrite) => {
  const ofType = storedEvents.filter((stored) => stored.type === type);
  const [first] = ofType;
  if (first === undefined) throw new Error(`There is no stored ${type}`);
  const newest = rewrite(first).schemaVersion;
  const versions = [...new Set(ofType.map(({ schemaVersion }) => schemaVersion))].toSorted();
  expect(versions).toEqual(Array.from({ length: newest }, (_, index) => index + 1));
});

test.each(Object.entries(rewrites))('%s of a newer version than this program knows is refused', (type, rewrite) => {
  const newest = storedEvents.findLast((stored) => stored.type === type);
  expect(() => rewrite({ type, schemaVersion: 99, payload: newest?.payload ?? '' })).toThrow(type);
});
