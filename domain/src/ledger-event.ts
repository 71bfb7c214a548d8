import type { BooksEvent } from './accounting/books.ts';
import type { ClosingsEvent } from './accounting/closings.ts';
import type { ResolutionEvent } from './accounting/resolutions.ts';
import type { OrderEvent } from './order/events.ts';
import type { PayoutEvent } from './payout/events.ts';
import type { AccessChanged } from './people/access.ts';
import type { AdminEvent } from './people/people.ts';
import type { SettingsChanged } from './settings/settings.ts';

export type LedgerEvent =
  | OrderEvent
  | PayoutEvent
  | BooksEvent
  | ResolutionEvent
  | ClosingsEvent
  | SettingsChanged
  | AdminEvent
  | AccessChanged;

export type EventType = LedgerEvent['type'];
