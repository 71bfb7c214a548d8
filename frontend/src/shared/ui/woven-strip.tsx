import styles from './woven-strip.module.css';

export function WovenStrip({ tall = false }: { readonly tall?: boolean }) {
  return <div className={styles.strip} data-tall={tall || undefined} aria-hidden="true" />;
}
