import styles from './skeleton.module.css';

/** The place of something that is still loading, where its size is known. Say 'Loading ...' once beside them, for screen readers. */
export function Skeleton({ width = '100%', height = '1em' }: { readonly width?: string; readonly height?: string }) {
  return <span className={styles.skeleton} style={{ width, height }} aria-hidden="true" />;
}
