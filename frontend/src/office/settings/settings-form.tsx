import { fieldName } from '@kilim/domain/settings/describe-change';
import { Alert, Button } from 'antd';
import type { FormEvent } from 'react';
import type { AdminSettings } from '../shared/settings/settings-calls.ts';
import cards from '../shared/ui/card.module.css';
import { ConflictDialog } from './conflict-dialog.tsx';
import styles from './settings.module.css';
import { type FormPart, formParts } from './settings-parts.tsx';
import { settingsTexts } from './texts.ts';
import { useSettingsForm } from './use-settings-form.ts';

type SettingsFormProps = { readonly part: FormPart; readonly saved: AdminSettings };

export function SettingsForm({ part, saved }: SettingsFormProps) {
  const form = useSettingsForm(saved);
  const { busy, isDirty } = form;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!busy) form.save();
  };
  return (
    <>
      <form className={cards.stack} onSubmit={submit} noValidate>
        <ProblemList problems={form.problems} />
        {formParts[part](form)}
        <div className={styles.saveBar}>
          <Button type="primary" htmlType="submit" loading={busy}>
            {busy ? settingsTexts.saving : settingsTexts.save}
          </Button>
          {isDirty && (
            <Button onClick={form.discard} disabled={busy}>
              {settingsTexts.discard}
            </Button>
          )}
          <p role="status">{isDirty ? settingsTexts.unsaved : ''}</p>
        </div>
        <p className={cards.soft}>{settingsTexts.note}</p>
      </form>
      {form.prompt}
      {form.conflict !== undefined && <ConflictDialog conflict={form.conflict} form={form} />}
    </>
  );
}

function ProblemList({ problems }: { readonly problems: Readonly<Record<string, string>> }) {
  const entries = Object.entries(problems);
  if (entries.length === 0) return null;
  return (
    <Alert
      type="error"
      role="alert"
      showIcon
      title={settingsTexts.problems}
      description={
        <ul>
          {entries.map(([path, message]) => (
            <li key={path}>{path === 'body' ? message : `${fieldName(path)}: ${message}`}</li>
          ))}
        </ul>
      }
    />
  );
}
