import { useMemo } from 'react';
import styles from './business-terms.module.css';
import { markupContent } from './terms-markup.tsx';

/** With the allowed part of their markup. */
export function BusinessTerms({ markup }: { readonly markup: string }) {
  const content = useMemo(() => markupContent(markup), [markup]);
  return <div className={styles.terms}>{content}</div>;
}
