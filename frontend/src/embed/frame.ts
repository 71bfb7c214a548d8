import { watchCover } from './covered-strip.ts';
import { reportHeight } from './frame-height.ts';
import type { MessageFromParent } from './messages.ts';
import { isSticky, type NavbarOwner, navbarPlace, parentNavbarFrameName } from './navbar.ts';
import type { ParentPage } from './parent-page.ts';
import { onVisibleRectangle, setVisibleRectangle } from './visible-rectangle.ts';
import { watchStrips } from './visible-strips.ts';

/** How long a parent with our script has to speak up before the form draws its own bar. */
const waitMilliseconds = 400;

/** What the frame shares with the form, on whatever page it is. */
export type Frame = {
  readonly parent: ParentPage;
  /** Whether so much of the form is in view that the bar stays in sight. */
  readonly isSticky: () => boolean;
  readonly onChange: (changed: () => void) => () => void;
  readonly onMessage: (hear: (message: MessageFromParent) => void) => () => void;
};

/**
 * Starts what lasts as long as the frame: its height, its visible part, and who draws the bar. That is the parent, once it has
 * shown that it does: by the frame's name, by a VIEWPORT message (our script) or by asking for a rug or the cart, which only a bar
 * does. Otherwise it is the form, except while something of the parent's lies where its bar would be.
 */
export function openFrame(parent: ParentPage): Frame {
  const changes = new Set<() => void>();
  const hearers = new Set<(message: MessageFromParent) => void>();
  let owner: NavbarOwner = window.name === parentNavbarFrameName ? 'parent' : 'waiting';
  let sticky = false;
  let covered = false;

  const show = () => {
    document.documentElement.dataset['navbar'] = navbarPlace(owner, { sticky, covered });
    for (const changed of changes) changed();
  };
  const settle = (settled: NavbarOwner) => {
    if (owner === settled || owner === 'parent') return;
    owner = settled;
    show();
    if (owner === 'parent') endCover();
  };
  onVisibleRectangle((visible) => {
    if (sticky === isSticky(visible)) return;
    sticky = !sticky;
    show();
  });

  const endCover = watchCover((isCovered) => {
    if (covered === isCovered) return;
    covered = isCovered;
    show();
  });
  const endStrips = watchStrips(setVisibleRectangle);
  parent.listen((message) => {
    settle('parent');
    if (message.type === 'VIEWPORT') {
      endStrips();
      // This parent follows our height, so there is nothing to scroll in here.
      document.documentElement.style.overflow = 'hidden';
      setVisibleRectangle(message);
    }
    for (const hear of hearers) hear(message);
  });
  show();
  setTimeout(() => settle('form'), waitMilliseconds);
  reportHeight((height) => parent.post({ type: 'IFRAME_HEIGHT', height }));

  return { parent, isSticky: () => sticky, onChange: addingTo(changes), onMessage: addingTo(hearers) };
}

function addingTo<Listener>(listeners: Set<Listener>) {
  return (listener: Listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
}
