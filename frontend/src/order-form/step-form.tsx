import type { ReactNode } from 'react';
import styles from './order-form.module.css';
import { OrderSummary } from './order-summary.tsx';

type StepFormProps = {
  readonly onContinue: () => void;
  readonly actions: ReactNode;
  readonly children: ReactNode;
};

/** A step beside the summary; on a narrow page the summary stands before the way on. */
export function StepForm({ onContinue, actions, children }: StepFormProps) {
  return (
    <form
      className={styles.columns}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onContinue();
      }}
    >
      <div className={styles.step}>{children}</div>
      <div className={styles.aside}>
        <OrderSummary />
      </div>
      {actions}
    </form>
  );
}
