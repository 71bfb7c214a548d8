/** A button in a toast, such as `Undo`. Pressing it also dismisses the toast. */
export type ToastAction = { readonly label: string; readonly onPress: () => void };

/**
 * A message that disappears after some seconds. A screen reader announces a destructive one
 * immediately.
 */
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

/**
 * Shows a toast and replaces the shown one: there is never more than one (specification, section
 * 4).
 * @returns a function that dismisses this toast, for a caller whose reported problem is solved
 */
export function showToast(toast: Omit<Toast, 'id' | 'variant'> & { readonly variant?: Toast['variant'] }): () => void {
  lastId += 1;
  const id = lastId;
  show({ variant: 'default', ...toast, id });
  return () => dismissToast(id);
}

/**
 * Dismisses the toast with this id, unless a newer one has replaced it. Without an id it dismisses
 * the shown toast, for callers that have solved the reported problem.
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
 * Shows toasts inside a modal dialog, because everything outside an open modal dialog is inert.
 * @returns a function that moves the toasts back to their previous place
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
