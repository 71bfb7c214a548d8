import { fieldName } from '@kilim/domain/settings/describe-change';
import { Input } from 'antd';
import { Field } from '../ui/field.tsx';
import styles from './settings.module.css';
import type { SettingsFormState } from './use-settings-form.ts';

type TextSettingsProps = {
  readonly form: SettingsFormState;
  readonly paths: readonly string[];
  /** A price is one line with a keypad for amounts; lines are a list, one entry each. */
  readonly kind: 'price' | 'lines' | 'text';
};

/** Text fields, with the same names as in the history. */
export function TextSettings({ form, paths, kind }: TextSettingsProps) {
  const { draft, problems, edit } = form;
  return (
    <div className={styles.grid} data-kind={kind}>
      {paths.map((path) => {
        const value = draft.texts[path] ?? '';
        const change = (text: string) => edit({ ...draft, texts: { ...draft.texts, [path]: text } }, path);
        return (
          <Field key={path} label={fieldName(path)} error={problemAt(problems, path)}>
            {(control) =>
              kind === 'price' || isShort(path) ? (
                <Input
                  {...control}
                  {...(kind === 'price' ? { prefix: '$', inputMode: 'decimal' as const } : {})}
                  autoComplete="off"
                  value={value}
                  onChange={({ target }) => change(target.value)}
                />
              ) : (
                <Input.TextArea
                  {...control}
                  rows={kind === 'lines' ? 5 : 2}
                  value={value}
                  onChange={({ target }) => change(target.value)}
                />
              )
            }
          </Field>
        );
      })}
    </div>
  );
}

function isShort(path: string): boolean {
  return path.startsWith('business.') || path.endsWith('.title');
}

/** The problem of a list, or of one of its entries (`tierFeatures.premium.3`). */
function problemAt(problems: Readonly<Record<string, string>>, path: string): string | undefined {
  return problems[path] ?? Object.entries(problems).find(([key]) => key.startsWith(`${path}.`))?.[1];
}
