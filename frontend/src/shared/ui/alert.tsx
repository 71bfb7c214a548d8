import type { ReactNode } from 'react';
import styles from './alert.module.css';

type AlertProps = {
  /** A screen reader announces `danger` immediately, the others when it is idle. */
  readonly tone: 'danger' | 'notice' | 'success';
  readonly title?: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
};

/** Unlike a toast, it does not disappear. */
export function Alert({ tone, title, children, action }: AlertProps) {
  return (
    <div className={styles.alert} data-tone={tone} role={tone === 'danger' ? 'alert' : 'status'}>
      {title !== undefined && <p className={styles.title}>{title}</p>}
      {children !== undefined && <div>{children}</div>}
      {action !== undefined && <div className={styles.action}>{action}</div>}
    </div>
  );
}
