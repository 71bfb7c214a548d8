import { readdirSync, readFileSync } from 'node:fs';
import type { BooksEvent } from '@kilim/domain/accounting/books';
import type { PasswordChanged } from '@kilim/domain/admin/password';
import type { OrderEvent } from '@kilim/domain/order/events';
import type { PayoutEvent } from '@kilim/domain/payout/events';
import type { SettingsChanged } from '@kilim/domain/settings/settings';
import { expect, test } from 'vitest';
import { decodePasswordChanged, encodeAdminEvent } from './admin.ts';
import { decodeBooksEvent, encodeBooksEvent } from './books.ts';
import { decodeEvent, type EncodedEvent, encodeEvent, type StoredEvent } from './order.ts';
import { decodePayoutEvent, encodePayoutEvent } from './payout.ts';
import { decodeSettingsChanged } from './settings.ts';

// Whatever was ever written, into whichever stream, stays readable for ever. For each type and version there is a file with what was written; none
// is ever edited. An event that is new to the domain does not compile here, and does not pass until its file is there.

type LedgerEvent = OrderEvent | PayoutEvent | BooksEvent | SettingsChanged | PasswordChanged;

/** Reads what is stored and writes it again, as this program does today. */
type Rewrite = (stored: StoredEvent) => EncodedEvent;

const order: Rewrite = (stored) => encodeEvent(decodeEvent(stored));
const payout: Rewrite = (stored) => encodePayoutEvent(decodePayoutEvent(stored));
const books: Rewrite = ({ schemaVersion, ...stored }) =>
  encodeBooksEvent(decodeBooksEvent({ ...stored, schema_version: schemaVersion }));

const rewrites = {
  OrderPlaced: order,
  PaymentStarted: order,
  PaymentAuthorized: order,
  PaymentCaptured: order,
  PaymentDeclined: order,
  PaymentVoided: order,
  ProcessingFeeAssessed: order,
  RefundRequested: order,
  RefundSubmitted: order,
  RefundCompleted: order,
  RefundFailed: order,
  ExternalRefundRecorded: order,
  ExcessRefundFound: order,
  DisputeOpened: order,
  DisputeClosed: order,
  OrphanPaymentFound: order,
  OrphanPaymentReturned: order,
  ContactErased: order,
  PayoutRecorded: payout,
  PayoutEntriesRecorded: payout,
  PayoutPaid: payout,
  PayoutFailed: payout,
  PeriodClosed: books,
  AccountsNamed: books,
  SettingsChanged: ({ schemaVersion, ...stored }) =>
    encodeAdminEvent(decodeSettingsChanged({ ...stored, schema_version: schemaVersion })),
  PasswordChanged: (stored) => encodeAdminEvent(decodePasswordChanged(stored)),
} satisfies Record<LedgerEvent['type'], Rewrite>;

const directory = new URL('./fixtures/', import.meta.url);
const fixtures: readonly StoredEvent[] = readdirSync(directory).map((file) => {
  const [, type = '', version] = /^([A-Za-z]+)\.(\d+)\.json$/.exec(file) ?? [];
  return { type, schemaVersion: Number(version), payload: readFileSync(new URL(file, directory), 'utf8').trim() };
});

test.each(fixtures.map((stored) => [stored.type, stored.schemaVersion, stored] as const))(
  '%s of version %i is read, and is what is written today or becomes it',
  (type, schemaVersion, stored) => {
    const rewrite: Rewrite | undefined = Object.hasOwn(rewrites, type)
      ? rewrites[type as keyof typeof rewrites]
      : undefined;
    const today = rewrite?.(stored);
    expect(today?.type).toBe(type);
    if (today?.schemaVersion === schemaVersion) expect(today.payload).toBe(stored.payload);
    else expect(today?.schemaVersion).toBeGreaterThan(schemaVersion);
  },
);

test.each(Object.entries(rewrites))('%s has a file for each version up to the newest', (type, rewrite) => {
  const files = fixtures.filter((stored) => stored.type === type);
  const [first] = files;
  if (first === undefined) throw new Error(`There is no fixture of ${type}`);
  const newest = rewrite(first).schemaVersion;
  const versions = files.map(({ schemaVersion }) => schemaVersion).toSorted();
  expect(versions).toEqual(Array.from({ length: newest }, (_, index) => index + 1));
});

test.each(Object.entries(rewrites))(
  '%s of a version that is newer than this program is not guessed',
  (type, rewrite) => {
    const newest = fixtures.findLast((stored) => stored.type === type);
    expect(() => rewrite({ type, schemaVersion: 99, payload: newest?.payload ?? '' })).toThrow(type);
  },
);
