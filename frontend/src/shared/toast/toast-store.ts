/** What can be done about a message, as one press: `Undo`. Pressing it also takes the message away. */
export type ToastAction = { readonly label: string; readonly onPress: () => void };

/** A passing message. A destructive one interrupts a screen reader, any other waits its turn. */
export type Toast = {
  readonly id: number;
  readonly title: string;
  readonly description?: string;
  readonly action?: ToastAction;
  readonly variant: 'default' | 'destructive';
};

let shown: Toast | undefined;
let lastId = 0;
const listeners = new Set<() => void>();

function show(toast: Toast | undefined): void {
  shown = toast;
  for (const listener of listeners) listener();
}

/** Shows a message in place of the one that is shown: there is only ever one (specification, section 4). */
export function showToast(toast: Omit<Toast, 'id' | 'variant'> & { readonly variant?: Toast['variant'] }): void {
  lastId += 1;
  show({ variant: 'default', ...toast, id: lastId });
}

/**
 * Takes a message away, unless another has replaced it meanwhile. Without an id it takes whatever is shown: what a message complained
 * of has been mended.
 */
export function dismissToast(id = shown?.id): void {
  if (shown !== undefined && shown.id === id) show(undefined);
}

export function shownToast(): Toast | undefined {
  return shown;
}

export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let host: Element | undefined;

/**
 * While a modal dialog is open, everything outside of it is out of reach: messages appear inside it then.
 * @returns what gives them their own place back
 */
export function showToastsIn(dialog: Element): () => void {
  const before = host;
  host = dialog;
  for (const listener of listeners) listener();
  return () => {
    host = before;
    for (const listener of listeners) listener();
  };
}

export function toastHost(): Element | undefined {
  return host;
}
