import type { OrderSearch } from '../shared/list-search.ts';

let lastOpened: string | undefined;
let lastSearch: OrderSearch = {};

/** On the way back, the list puts the focus on this order. */
export function rememberOpened(orderId: string): void {
  lastOpened = orderId;
}

export function takeLastOpened(isShown: (orderId: string) => boolean): string | undefined {
  if (lastOpened === undefined || !isShown(lastOpened)) return undefined;
  const opened = lastOpened;
  lastOpened = undefined;
  return opened;
}

/** For the way back from an order that was opened elsewhere. */
export function rememberSearch(search: OrderSearch): void {
  lastSearch = search;
}

export function searchToReturnTo(): OrderSearch {
  return lastSearch;
}
