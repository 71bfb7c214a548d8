import type { BooksEvent } from './accounting/books.ts';
import type { AdminEvent } from './admin/people.ts';
import type { RefundLimitsChanged } from './admin/refund-limits.ts';
import type { OrderEvent } from './order/events.ts';
import type { PayoutEvent } from './payout/events.ts';
import type { SettingsChanged } from './settings/settings.ts';

/** Every event of every stream of the ledger. */
export type LedgerEvent = OrderEvent | PayoutEvent | BooksEvent | SettingsChanged | RefundLimitsChanged | AdminEvent;

export type EventType = LedgerEvent['type'];
