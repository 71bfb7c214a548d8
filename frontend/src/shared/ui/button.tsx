import type { ComponentProps } from 'react';
import styles from './button.module.css';
import { classNames } from './class-names.ts';
import { Spinner } from './spinner.tsx';

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger';

export type ButtonProps = ComponentProps<'button'> & {
  readonly variant?: ButtonVariant;
  /** Shows a spinner and takes no more presses; give it the words of what is going on. It keeps the focus. */
  readonly busy?: boolean;
  readonly wide?: boolean;
};

/** A button that is `aria-disabled` stays focusable and keeps its `onClick`, which can then say why nothing happens. */
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

/** For links that look like buttons: `<Link className={buttonClass('primary')}>`. */
export function buttonClass(variant: ButtonVariant): string {
  return classNames(styles.button, styles[variant]);
}
