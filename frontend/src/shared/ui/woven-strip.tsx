import styles from './woven-strip.module.css';

/** A decorative band with a kilim pattern. */
export function WovenStrip({ tall = false }: { readonly tall?: boolean }) {
  return <div className={styles.strip} data-tall={tall || undefined} aria-hidden="true" />;
}
