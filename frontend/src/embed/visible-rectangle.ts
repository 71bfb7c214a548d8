/** The part of the frame that is in sight, in pixels from the frame's top. */
export type VisibleRectangle = { readonly top: number; readonly bottom: number };

type Changed = (visible: VisibleRectangle) => void;

const listeners = new Set<Changed>();

/**
 * Puts dialogs, messages and our own bar where they are seen: in a tall frame "the window" of the style sheets is the whole
 * frame, most of which is out of sight.
 */
export function setVisibleRectangle({ top, bottom }: VisibleRectangle): void {
  const frameHeight = window.innerHeight;
  const visibleTop = Math.min(Math.max(0, top), frameHeight);
  const visible = { top: visibleTop, bottom: Math.min(Math.max(visibleTop, bottom), frameHeight) };
  const { style } = document.documentElement;
  style.setProperty('--visible-top', `${visible.top}px`);
  style.setProperty('--visible-height', `${visible.bottom - visible.top}px`);
  for (const changed of listeners) changed(visible);
}

export function onVisibleRectangle(changed: Changed): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}
