import { useMemo } from 'react';
import styles from './own-terms.module.css';
import { markupContent } from './terms-markup.tsx';

/** The business's own terms, with as much of their markup as is safe. */
export function OwnTerms({ markup }: { readonly markup: string }) {
  const content = useMemo(() => markupContent(markup), [markup]);
  return <div className={styles.terms}>{content}</div>;
}
