import styles from './spinner.module.css';

/** Turns while something runs. It has no words: what it belongs to says what is going on. */
export function Spinner() {
  return <span className={styles.spinner} aria-hidden="true" />;
}
