import styles from './woven-strip.module.css';

/** A band of flat-woven pattern: the one ornament that the product has. */
export function WovenStrip({ tall = false }: { readonly tall?: boolean }) {
  return <div className={styles.strip} data-tall={tall || undefined} aria-hidden="true" />;
}
