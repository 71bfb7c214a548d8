import { Input, type InputProps } from 'antd';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { FieldError } from '../../../shared/ui/text-field.tsx';
import { officeTexts } from '../texts.ts';
import cards from './card.module.css';
import styles from './field.module.css';

/** Ties a control to its label and messages. */
export type FieldControl = {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
};

export type FieldProps = {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly children: (control: FieldControl) => ReactNode;
};

export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const hintId = hint === undefined ? undefined : `${id}-hint`;
  const errorId = error === undefined ? undefined : `${id}-error`;
  const describedBy = [hintId, errorId].filter((part) => part !== undefined).join(' ');
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {hint !== undefined && (
        <p className={cards.soft} id={hintId}>
          {hint}
        </p>
      )}
      {children({
        id,
        'aria-describedby': describedBy === '' ? undefined : describedBy,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {error !== undefined && <FieldError id={errorId} message={error} />}
    </div>
  );
}

type TextFieldProps = Omit<FieldProps, 'children'> &
  Omit<InputProps, 'onChange'> & { readonly value: string; readonly onText: (text: string) => void };

export function TextField({ label, hint, error, onText, ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => <Input {...input} {...control} onChange={({ target }) => onText(target.value)} />}
    </Field>
  );
}

type TextAreaFieldProps = Omit<FieldProps, 'children'> &
  Omit<ComponentProps<typeof Input.TextArea>, 'onChange'> & {
    readonly value: string;
    readonly onText: (text: string) => void;
  };

/** Says when it is full: a browser cuts a longer text without a word. */
export function TextAreaField({ label, hint, error, onText, ...area }: TextAreaFieldProps) {
  const { maxLength = Number.POSITIVE_INFINITY, value } = area;
  const full = value.length < maxLength ? undefined : officeTexts.full(maxLength);
  return (
    <Field label={label} hint={hint} error={error ?? full}>
      {(control) => <Input.TextArea {...area} {...control} onChange={({ target }) => onText(target.value)} />}
    </Field>
  );
}

type SelectFieldProps<Value extends string> = Omit<FieldProps, 'children'> & {
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, text: string])[];
  readonly onChoose: (value: Value) => void;
};

export function SelectField<Value extends string>({ value, options, onChoose, ...field }: SelectFieldProps<Value>) {
  const choose = (text: string) => {
    const chosen = options.find(([each]) => each === text);
    if (chosen !== undefined) onChoose(chosen[0]);
  };
  return (
    <Field {...field}>
      {(control) => (
        <select {...control} className={styles.select} value={value} onChange={({ target }) => choose(target.value)}>
          {options.map(([each, text]) => (
            <option key={each} value={each}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
