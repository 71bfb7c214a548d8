import type { VisibleRectangle } from './visible-rectangle.ts';

/** What is known of who draws the bar. */
export type NavbarOwner =
  /** The parent has had no time to say anything yet. */
  | 'waiting'
  /** The page around the form draws the bar; ours is not shown. */
  | 'parent'
  /** Nobody else does: the form keeps its own in the visible part. */
  | 'form';

/** A page that draws the bar from the first picture on names its frame so: `<iframe name="parent-navbar">`. */
export const parentNavbarFrameName = 'parent-navbar';

/** Past this the bar stays in sight (specification, section 9): in a frame, once so much of the form is in view. */
const stickyFromPixels = 100;

export function isSticky({ top, bottom }: VisibleRectangle): boolean {
  return bottom - top > stickyFromPixels;
}

/** Whether enough of the form is in view, and whether the parent has something where our bar would float. */
type Sight = { readonly sticky: boolean; readonly covered: boolean };

/** The style sheet of the bar goes by this: `parent` hides it, `floating` keeps it at the end of the visible rectangle. */
export function navbarPlace(owner: NavbarOwner, { sticky, covered }: Sight): 'parent' | 'floating' | 'resting' {
  if (owner === 'parent' || (sticky && covered)) return 'parent';
  return owner === 'form' && sticky ? 'floating' : 'resting';
}
