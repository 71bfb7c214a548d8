import type { ComponentProps } from 'react';
import styles from './button.module.css';
import { classNames } from './class-names.ts';
import { Spinner } from './spinner.tsx';

export type ButtonVariant = 'primary' | 'secondary' | 'quiet';

export type ButtonProps = ComponentProps<'button'> & {
  readonly variant?: ButtonVariant;
  /** Shows a spinner, ignores presses and keeps the focus. Change the text to say what is happening. */
  readonly busy?: boolean;
  readonly wide?: boolean;
};

/** An `aria-disabled` button keeps its focus and `onClick`, which can explain why it is disabled. */
export function Button({ variant = 'primary', busy = false, wide = false, ...props }: ButtonProps) {
  const { children, className, onClick, type = 'button', ...rest } = props;
  return (
    <button
      {...rest}
      type={type}
      className={classNames(buttonClass(variant), wide && styles.wide, className)}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled']}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
}

/** For links: `<Link className={buttonClass('primary')}>`. */
export function buttonClass(variant: ButtonVariant): string {
  return classNames(styles.button, styles[variant]);
}
