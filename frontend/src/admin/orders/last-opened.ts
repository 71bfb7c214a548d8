import type { OrderSearch } from '../layout/list-search.ts';

let lastOpened: string | undefined;
let lastSearch: OrderSearch = {};

/** The list puts the focus on this order when the person comes back. */
export function rememberOpened(orderId: string): void {
  lastOpened = orderId;
}

/** The last opened order, once, if the list shows it. */
export function takeLastOpened(isShown: (orderId: string) => boolean): string | undefined {
  if (lastOpened === undefined || !isShown(lastOpened)) return undefined;
  const opened = lastOpened;
  lastOpened = undefined;
  return opened;
}

/** The page and the filters of the list, for the way back from an order that was opened elsewhere. */
export function rememberSearch(search: OrderSearch): void {
  lastSearch = search;
}

export function searchToReturnTo(): OrderSearch {
  return lastSearch;
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The entry of the history before this one is the list of orders. */
    readonly isFromOrders?: true;
  }
}
