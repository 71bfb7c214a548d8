/** The visible part of the iframe, in pixels from the iframe's top. */
export type VisibleRectangle = { readonly top: number; readonly bottom: number };

type Listener = (visible: VisibleRectangle) => void;

const listeners = new Set<Listener>();

/**
 * Moves dialogs, toasts and our bar into the visible part. In a tall iframe, the CSS viewport is
 * the whole iframe, and most of it is scrolled out of view.
 */
export function setVisibleRectangle({ top, bottom }: VisibleRectangle): void {
  const frameHeight = window.innerHeight;
  const visibleTop = Math.min(Math.max(0, top), frameHeight);
  const visible = { top: visibleTop, bottom: Math.min(Math.max(visibleTop, bottom), frameHeight) };
  const { style } = document.documentElement;
  style.setProperty('--visible-top', `${visible.top}px`);
  style.setProperty('--visible-height', `${visible.bottom - visible.top}px`);
  for (const listener of listeners) listener(visible);
}

export function onVisibleRectangle(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
