import { type ComponentProps, type ReactNode, useId } from 'react';
import { AlertIcon } from './icons.tsx';
import styles from './text-field.module.css';

type FieldProps = {
  readonly label: string;
  /** Required if an error summary links to the field. */
  readonly id?: string | undefined;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
};

type ControlProps = {
  readonly id: string;
  readonly className: string | undefined;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
};

type FramedProps = FieldProps & {
  readonly 'aria-describedby'?: string | undefined;
  readonly 'aria-invalid'?: ComponentProps<'input'>['aria-invalid'];
  readonly children: (control: ControlProps) => ReactNode;
};

/** Invalid input is marked, never blocked or changed. */
export function Field({ label, id, hint, error, children, ...given }: FramedProps) {
  const ownId = useId();
  const controlId = id ?? ownId;
  const hintId = hint === undefined ? undefined : `${controlId}-hint`;
  const errorId = error === undefined ? undefined : `${controlId}-error`;
  const describedBy = [hintId, errorId, given['aria-describedby']].filter((part) => part !== undefined).join(' ');
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={controlId}>
        {label}
      </label>
      {hint !== undefined && (
        <p className={styles.hint} id={hintId}>
          {hint}
        </p>
      )}
      {children({
        id: controlId,
        className: styles.input,
        'aria-describedby': describedBy === '' ? undefined : describedBy,
        'aria-invalid': error !== undefined || given['aria-invalid'] ? true : undefined,
      })}
      {error !== undefined && <FieldError id={errorId} message={error} />}
    </div>
  );
}

export type TextFieldProps = Omit<ComponentProps<'input'>, 'id'> &
  FieldProps & {
    /** After the input. Screen readers skip it, so the label must name the unit too. */
    readonly suffix?: string;
  };

export function TextField({ label, id, hint, error, suffix, ...input }: TextFieldProps) {
  const described = { 'aria-describedby': input['aria-describedby'], 'aria-invalid': input['aria-invalid'] };
  return (
    <Field label={label} id={id} hint={hint} error={error} {...described}>
      {(control) => (
        <div className={styles.box}>
          <input type="text" {...input} {...control} />
          {suffix !== undefined && (
            <span className={styles.suffix} aria-hidden="true">
              {suffix}
            </span>
          )}
        </div>
      )}
    </Field>
  );
}

export function FieldError({ id, message }: { readonly id?: string | undefined; readonly message: string }) {
  return (
    <p className={styles.error} id={id}>
      <AlertIcon />
      {message}
    </p>
  );
}
