import type { VisibleRectangle } from './visible-rectangle.ts';

export type NavbarOwner =
  /** The form still waits for a message from the parent. */
  | 'waiting'
  /** The form hides its own bar. */
  | 'parent'
  /** At the end of the visible part. */
  | 'form';

/** `<iframe name="parent-navbar">`: the parent always shows its own bar. */
export const parentNavbarFrameName = 'parent-navbar';

/** In an iframe, with more of the form visible than this (specification, section 9). */
const stickyFromPixels = 100;

export function isSticky({ top, bottom }: VisibleRectangle): boolean {
  return bottom - top > stickyFromPixels;
}

/** Enough of the form is visible; an element of the parent covers the bar's place. */
type BarVisibility = { readonly sticky: boolean; readonly covered: boolean };

/** For the style sheet: `parent` hides the bar, `floating` fixes it to the end of the visible rectangle. */
export function navbarPlace(owner: NavbarOwner, { sticky, covered }: BarVisibility): 'parent' | 'floating' | 'resting' {
  if (owner === 'parent' || (sticky && covered)) return 'parent';
  return owner === 'form' && sticky ? 'floating' : 'resting';
}
