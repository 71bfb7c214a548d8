import type { ReactNode } from 'react';
import styles from './order-form.module.css';
import { OrderSummary } from './order-summary.tsx';

type StepColumnsProps = { readonly actions: ReactNode; readonly children: ReactNode };

/** On narrow screens the summary is between the step and its buttons. */
export function StepColumns({ actions, children }: StepColumnsProps) {
  return (
    <div className={styles.columns}>
      <div className={styles.step}>{children}</div>
      <div className={styles.aside}>
        <OrderSummary />
      </div>
      {actions}
    </div>
  );
}
