import type { VisibleRectangle } from './visible-rectangle.ts';

/** Who shows the bar. */
export type NavbarOwner =
  /** Undecided: the form still waits for a message from the parent. */
  | 'waiting'
  /** The parent page shows its bar, and the form hides its own. */
  | 'parent'
  /** The form shows its bar at the end of the visible part. */
  | 'form';

/** A parent that always shows its own bar says so with `<iframe name="parent-navbar">`. */
export const parentNavbarFrameName = 'parent-navbar';

/**
 * In an iframe, the bar is sticky when more than this much of the form is visible (specification,
 * section 9).
 */
const stickyFromPixels = 100;

export function isSticky({ top, bottom }: VisibleRectangle): boolean {
  return bottom - top > stickyFromPixels;
}

/**
 * Whether enough of the form is visible, and whether an element of the parent covers the bar's
 * place.
 */
type BarVisibility = { readonly sticky: boolean; readonly covered: boolean };

/**
 * The bar's style sheet uses the result: `parent` hides the bar, `floating` fixes it to the end of
 * the visible rectangle.
 */
export function navbarPlace(owner: NavbarOwner, { sticky, covered }: BarVisibility): 'parent' | 'floating' | 'resting' {
  if (owner === 'parent' || (sticky && covered)) return 'parent';
  return owner === 'form' && sticky ? 'floating' : 'resting';
}
