import type { ReactNode } from 'react';
import styles from './alert.module.css';

type AlertProps = {
  /** `danger` is read out at once, the others when the reader is free. */
  readonly tone: 'danger' | 'notice' | 'success';
  readonly title?: string;
  readonly children?: ReactNode;
  /** A button or a link that helps. */
  readonly action?: ReactNode;
};

/** A message that stays in its place, unlike a toast. */
export function Alert({ tone, title, children, action }: AlertProps) {
  return (
    <div className={styles.alert} data-tone={tone} role={tone === 'danger' ? 'alert' : 'status'}>
      {title !== undefined && <p className={styles.title}>{title}</p>}
      {children !== undefined && <div>{children}</div>}
      {action !== undefined && <div className={styles.action}>{action}</div>}
    </div>
  );
}
