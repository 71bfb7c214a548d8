import { type ReactNode, type SyntheticEvent, useId, useLayoutEffect, useRef } from 'react';
import { showToastsIn } from '../../../shared/toast/toast-store.ts';
import styles from './dialog.module.css';

export type DialogProps = {
  readonly title: string;
  /** Beside the page, which can still be read, where there is room; the whole screen of a phone. */
  readonly place?: 'middle' | 'side';
  /** Absent while the dialog must not be left. */
  readonly onClose?: (() => void) | undefined;
  readonly children: ReactNode;
};

/**
 * Open while it is mounted. The browser keeps the focus inside, makes the page inert, and restores the focus. Why it is
 * not antd's: docs/topics/order-form-and-pages.md.
 */
export function Dialog({ title, place = 'middle', onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Closes while it is in the document: only then does the browser restore the focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (element === null) return;
    if (!element.open) element.showModal();
    const giveToastsBack = showToastsIn(element);
    return () => {
      giveToastsBack();
      element.close();
    };
  }, []);
  const stay = (event: SyntheticEvent<HTMLDialogElement>) => {
    if (event.target !== event.currentTarget) return;
    event.preventDefault();
    onClose?.();
  };
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      data-place={place}
      aria-labelledby={titleId}
      onCancel={stay}
      // A second Escape closes it although `onCancel` refused, so it opens again.
      onClose={() => dialog.current?.isConnected === true && dialog.current.showModal()}
    >
      <h2 id={titleId} className={styles.title}>
        {title}
      </h2>
      {children}
    </dialog>
  );
}
