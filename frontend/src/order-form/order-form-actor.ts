import { useSelector } from '@xstate/react';
import { createContext, useContext } from 'react';
import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import { type Offer, offerOf } from '../shared/offer.ts';
import { usePageData } from '../shared/page-data.ts';
import type { orderFormMachine } from './order-form-machine.ts';

export type OrderFormActor = ActorRefFrom<typeof orderFormMachine>;
export type OrderFormSnapshot = SnapshotFrom<typeof orderFormMachine>;

export const OrderFormActorContext = createContext<OrderFormActor | undefined>(undefined);

export function useOrderFormActor(): OrderFormActor {
  const actor = useContext(OrderFormActorContext);
  if (actor === undefined) throw new Error('A part of the order form is rendered outside of the form');
  return actor;
}

/** Rerenders only when the selected part changes. */
export function useOrderForm<Piece>(
  select: (snapshot: OrderFormSnapshot) => Piece,
  same?: (before: Piece, after: Piece) => boolean,
): Piece {
  return useSelector(useOrderFormActor(), select, same);
}

export function useOffer(): Offer {
  return offerOf(usePageData().settings);
}
