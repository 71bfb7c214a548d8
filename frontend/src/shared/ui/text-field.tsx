import { type ComponentProps, type ReactNode, useId } from 'react';
import { AlertIcon } from './icons.tsx';
import styles from './text-field.module.css';

export type TextFieldProps = Omit<ComponentProps<'input'>, 'id'> & {
  readonly label: string;
  /** Required if an error summary links to the field. */
  readonly id?: string | undefined;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  /** A unit after the input. Screen readers skip it, so the label must name the unit too. */
  readonly suffix?: string;
};

/**
 * A text input with its label above and its message below. Invalid input is marked, never blocked
 * or changed.
 */
export function TextField({ label, id, hint, error, suffix, ...input }: TextFieldProps) {
  const ownId = useId();
  const inputId = id ?? ownId;
  const hintId = hint === undefined ? undefined : `${inputId}-hint`;
  const errorId = error === undefined ? undefined : `${inputId}-error`;
  const describedBy = [hintId, errorId, input['aria-describedby']].filter((part) => part !== undefined).join(' ');
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={inputId}>
        {label}
      </label>
      {hint !== undefined && (
        <p className={styles.hint} id={hintId}>
          {hint}
        </p>
      )}
      <div className={styles.box}>
        <input
          type="text"
          {...input}
          id={inputId}
          className={styles.input}
          aria-describedby={describedBy === '' ? undefined : describedBy}
          aria-invalid={error !== undefined || input['aria-invalid'] || undefined}
        />
        {suffix !== undefined && (
          <span className={styles.suffix} aria-hidden="true">
            {suffix}
          </span>
        )}
      </div>
      {error !== undefined && <FieldError id={errorId} message={error} />}
    </div>
  );
}

/** A field's error message, for controls with several inputs. */
export function FieldError({ id, message }: { readonly id?: string | undefined; readonly message: string }) {
  return (
    <p className={styles.error} id={id}>
      <AlertIcon />
      {message}
    </p>
  );
}
