import { mostRugsPerOrder } from '../catalog.ts';
import type { Quote } from '../quote.ts';
import { ok, type Result, rejected } from '../result.ts';
import { checkRug, isSameRug, type RugRejection } from '../rug.ts';
import type { OrderEvent, OrderPlaced, OrderSource } from './events.ts';
import type { OrderId } from './ids.ts';

export type PlaceState = { readonly placed: OrderPlaced | undefined };

export const notPlaced: PlaceState = { placed: undefined };

export function evolve(state: PlaceState, event: OrderEvent): PlaceState {
  return event.type === 'OrderPlaced' ? { placed: event } : state;
}

export type PlaceOrder = {
  readonly orderId: OrderId;
  readonly supplementOf?: OrderId | undefined;
  /** The browser's price is only compared with it. */
  readonly quote: Quote;
  readonly settingsVersion: number;
  readonly source: OrderSource;
  readonly contactDigest: string;
};

export type PlaceRejection =
  | { readonly code: 'NoRugs' }
  | { readonly code: 'TooManyRugs'; readonly most: number; readonly offered: number }
  | { readonly code: 'InvalidRug'; readonly rugIndex: number; readonly reason: RugRejection }
  | { readonly code: 'OrderDiffers'; readonly orderId: OrderId };

/** The same order again, for a second attempt, records nothing; a different order with the id is refused. */
export function decide(command: PlaceOrder, state: PlaceState): Result<readonly OrderEvent[], PlaceRejection> {
  const { rugs } = command.quote;
  if (rugs.length === 0) return rejected({ code: 'NoRugs' });
  if (rugs.length > mostRugsPerOrder) {
    return rejected({ code: 'TooManyRugs', most: mostRugsPerOrder, offered: rugs.length });
  }
  for (const [rugIndex, { rug }] of rugs.entries()) {
    const checked = checkRug(rug);
    if (!checked.ok) return rejected({ code: 'InvalidRug', rugIndex, reason: checked.rejection });
  }
  const placed = placedBy(command);
  if (state.placed === undefined) return ok([placed]);
  return isSameOrder(state.placed, placed) ? ok([]) : rejected({ code: 'OrderDiffers', orderId: command.orderId });
}

function placedBy(command: PlaceOrder): OrderPlaced {
  return {
    type: 'OrderPlaced',
    orderId: command.orderId,
    ...(command.supplementOf === undefined ? {} : { supplementOf: command.supplementOf }),
    rugs: command.quote.rugs.map(({ rug, price, charges, total }) => ({ ...rug, price, charges, total })),
    deliveryOption: command.quote.deliveryOption,
    lines: command.quote.lines,
    salesTax: command.quote.salesTax,
    total: command.quote.total,
    settingsVersion: command.settingsVersion,
    source: command.source,
    contactDigest: command.contactDigest,
  };
}

/** The origin may differ: a second tab is the same order. */
function isSameOrder(first: OrderPlaced, second: OrderPlaced): boolean {
  return (
    first.contactDigest === second.contactDigest &&
    first.supplementOf === second.supplementOf &&
    first.deliveryOption === second.deliveryOption &&
    first.total === second.total &&
    first.rugs.length === second.rugs.length &&
    first.rugs.every((rug, index) => {
      const other = second.rugs[index];
      return other !== undefined && isSameRug(rug, other) && rug.total === other.total;
    })
  );
}
