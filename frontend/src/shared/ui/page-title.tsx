import { type ReactNode, useEffect, useRef } from 'react';

/** Only the first page of a visit is announced by the browser itself. */
let visitBegan = false;

/** The heading of the page. It takes the focus when the page was reached without loading, so that a screen reader says where one is. */
export function PageTitle({
  children,
  className,
}: {
  readonly children: ReactNode;
  readonly className?: string | undefined;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (visitBegan) heading.current?.focus({ preventScroll: true });
    visitBegan = true;
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1} className={className}>
      {children}
    </h1>
  );
}
