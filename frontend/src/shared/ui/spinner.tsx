import styles from './spinner.module.css';

/** Hidden from screen readers: the element around it says what is loading. */
export function Spinner() {
  return <span className={styles.spinner} aria-hidden="true" />;
}
