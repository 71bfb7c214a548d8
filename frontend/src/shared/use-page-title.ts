import { useEffect } from 'react';
import { usePageData } from './page-data.ts';

/** With the shop's name. The page's own title comes back afterwards. */
export function usePageTitle(title: string): void {
  const { name } = usePageData().config.business;
  useEffect(() => {
    const before = document.title;
    document.title = `${title} · ${name}`;
    return () => {
      document.title = before;
    };
  }, [title, name]);
}
