import { useEffect } from 'react';

/** Sets the document's title, which the browser's tab and screen readers use. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}
