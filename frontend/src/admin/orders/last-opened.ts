let lastOpened: string | undefined;

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
