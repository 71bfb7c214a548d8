/** In pixels from the iframe's top. */
export type VisibleRectangle = { readonly top: number; readonly bottom: number };

type Listener = (visible: VisibleRectangle) => void;

let lastVisible: VisibleRectangle | undefined;
const listeners = new Set<Listener>();

/**
 * Moves dialogs, toasts and our bar into it. In a tall iframe, the CSS viewport is the whole iframe, most of it out of
 * view.
 */
export function setVisibleRectangle({ top, bottom }: VisibleRectangle): void {
  const frameHeight = window.innerHeight;
  const visibleTop = Math.min(Math.max(0, top), frameHeight);
  const visible = { top: visibleTop, bottom: Math.min(Math.max(visibleTop, bottom), frameHeight) };
  lastVisible = visible;
  const { style } = document.documentElement;
  style.setProperty('--visible-top', `${visible.top}px`);
  style.setProperty('--visible-height', `${visible.bottom - visible.top}px`);
  for (const listener of listeners) listener(visible);
}

/**
 * The parent's bar has an unknown height. A low visible part has no room for it: the end of the form is then far above
 * the bar.
 */
const placeOfBar = 'clamp(0px, var(--visible-height) - 240px, 120px)';

/** Keeps dialogs and toasts above the place of the parent's bar. */
export function keepClearOfBar(isClear: boolean): void {
  const { style } = document.documentElement;
  if (isClear) style.setProperty('--parent-bar-height', placeOfBar);
  else style.removeProperty('--parent-bar-height');
}

export function isInVisibleRectangle(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return lastVisible !== undefined && top >= lastVisible.top && bottom <= lastVisible.bottom;
}

export function onVisibleRectangle(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
