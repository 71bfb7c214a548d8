import { type ReactNode, useEffect, useRef } from 'react';

/** The browser announces only the first page of a visit. */
let firstPageShown = false;

/**
 * The page's heading. It takes the focus after a client-side navigation, so that a screen reader
 * announces the new page.
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
    if (firstPageShown) heading.current?.focus({ preventScroll: true });
    firstPageShown = true;
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1} className={className}>
      {children}
    </h1>
  );
}
