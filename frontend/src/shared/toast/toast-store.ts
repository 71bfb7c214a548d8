/** Pressing it also dismisses the toast. */
export type ToastAction = { readonly label: string; readonly onPress: () => void };

/** Disappears after some seconds. A screen reader announces a destructive one immediately. */
export type Toast = {
  readonly id: number;
  readonly title: string;
  readonly description?: string;
  readonly action?: ToastAction;
  readonly variant: 'default' | 'destructive';
  /** The page says the same, so a screen reader does not announce it twice. */
  readonly silent?: boolean;
};

let shown: Toast | undefined;
let lastId = 0;
const listeners = new Set<() => void>();

function show(toast: Toast | undefined): void {
  shown = toast;
  for (const listener of listeners) listener();
}

/**
 * Replaces the shown toast: there is never more than one (specification, section 4).
 * @returns a function that dismisses this toast.
 */
export function showToast(toast: Omit<Toast, 'id' | 'variant'> & { readonly variant?: Toast['variant'] }): () => void {
  lastId += 1;
  const id = lastId;
  show({ variant: 'default', ...toast, id });
  return () => dismissToast(id);
}

/** Unless a newer toast has replaced it. Without an id, the shown one. */
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
 * Everything outside an open modal dialog is inert.
 * @returns a function that moves the toasts back.
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
