import { useSelector } from '@xstate/react';
import { createContext, useContext } from 'react';
import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import { usePageData } from '../shared/page-data.ts';
import type { Settings } from '../shared/settings.ts';
import type { orderFormMachine } from './order-form-machine.ts';

export type OrderFormActor = ActorRefFrom<typeof orderFormMachine>;
export type OrderFormSnapshot = SnapshotFrom<typeof orderFormMachine>;

export const OrderFormActorContext = createContext<OrderFormActor | undefined>(undefined);

/** The running form, to send events to. */
export function useOrderFormActor(): OrderFormActor {
  const actor = useContext(OrderFormActorContext);
  if (actor === undefined) throw new Error('Part of the order form stands outside of it');
  return actor;
}

/** One piece of the form's state. A component renders again only when its own piece has changed. */
export function useOrderForm<Piece>(
  select: (snapshot: OrderFormSnapshot) => Piece,
  same?: (before: Piece, after: Piece) => boolean,
): Piece {
  return useSelector(useOrderFormActor(), select, same);
}

export type Offer = Pick<Settings, 'prices' | 'features'>;

/** Today's prices and promises, from settings. */
export function useOffer(): Offer {
  return usePageData().settings;
}
