import { type ReactNode, useEffect, useRef } from 'react';
import { whenFramed } from '../../embed/in-frame.ts';

/** The browser announces only the first page of a visit. */
let firstPageShown = false;

/**
 * Takes the focus after a client-side navigation, so that a screen reader announces the page. In an iframe, the page's
 * beginning comes into view.
 */
export function PageTitle({
  children,
  className,
}: {
  readonly children: ReactNode;
  readonly className?: string | undefined;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const shown = heading.current;
    if (firstPageShown && shown !== null) {
      shown.focus({ preventScroll: true });
      // The router scrolls only the iframe, not the parent page.
      whenFramed(({ showBeginning }) => showBeginning(shown));
    }
    firstPageShown = true;
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1} className={className}>
      {children}
    </h1>
  );
}
