import type { ReactNode } from 'react';
import styles from './badge.module.css';

export type BadgeTone = 'completed' | 'pending' | 'failed' | 'other' | 'premium' | 'midrange' | 'economy';

/** A word, never a colour alone. */
export function Badge({ tone, children }: { readonly tone: BadgeTone; readonly children: ReactNode }) {
  return (
    <span className={styles.badge} data-hue={tone}>
      {children}
    </span>
  );
}
