import { fieldName } from '@kilim/domain/settings/describe-change';
import { Input } from 'antd';
import { Field, TextField } from '../shared/ui/field.tsx';
import styles from './settings.module.css';
import { collectDaysPath, taxNamePath } from './settings-fields.ts';
import type { SettingsFormState } from './use-settings-form.ts';

type TextSettingsProps = {
  readonly form: SettingsFormState;
  readonly paths: readonly string[];
  /** Lines are a list, one entry each. */
  readonly kind: 'lines' | 'text';
};

/** With the same names as in the history. */
export function TextSettings({ form, paths, kind }: TextSettingsProps) {
  const { draft, problems } = form;
  return (
    <div className={styles.grid}>
      {paths.map((path) => (
        <Field key={path} label={fieldName(path)} error={problemAt(problems, path)}>
          {(control) => {
            const field = {
              ...control,
              value: draft.texts[path] ?? '',
              onChange: ({ target }: { target: { value: string } }) => change(form, path, target.value),
            };
            if (isShort(path)) return <Input {...field} autoComplete="off" />;
            return <Input.TextArea {...field} rows={kind === 'lines' ? 5 : 2} />;
          }}
        </Field>
      ))}
    </div>
  );
}

export function AmountPairs({ form, paths }: Omit<TextSettingsProps, 'kind'>) {
  return (
    <div className={styles.pairs}>
      {paths.map((path) => (
        <AmountSetting key={path} form={form} path={path} />
      ))}
    </div>
  );
}

export function AmountSetting({ form, path }: { readonly form: SettingsFormState; readonly path: string }) {
  return (
    <TextField
      label={fieldName(path)}
      error={form.problems[path]}
      prefix="$"
      inputMode="decimal"
      autoComplete="off"
      value={form.draft.texts[path] ?? ''}
      onText={(text) => change(form, path, text)}
    />
  );
}

export function change({ draft, edit }: SettingsFormState, path: string, text: string): void {
  edit({ ...draft, texts: { ...draft.texts, [path]: text } }, path);
}

function isShort(path: string): boolean {
  return path.startsWith('business.') || path.endsWith('.title') || path === collectDaysPath || path === taxNamePath;
}

/** Of a list, or one of its entries (`tierFeatures.premium.3`). */
export function problemAt(problems: Readonly<Record<string, string>>, path: string): string | undefined {
  return problems[path] ?? Object.entries(problems).find(([key]) => key.startsWith(`${path}.`))?.[1];
}
