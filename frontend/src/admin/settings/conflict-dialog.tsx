import { Button, Radio } from 'antd';
import { useState } from 'react';
import { usePageData } from '../../shared/page-data.ts';
import { usePersonName } from '../people/people-calls.ts';
import cards from '../ui/card.module.css';
import { Dialog } from '../ui/dialog.tsx';
import { timeText } from '../ui/format.ts';
import styles from './settings.module.css';
import type { SettingsConflict } from './settings-calls.ts';
import { draftOf, withField } from './settings-draft.ts';
import { settingsTexts } from './texts.ts';
import type { SettingsFormState } from './use-settings-form.ts';

type ConflictDialogProps = { readonly conflict: SettingsConflict; readonly form: SettingsFormState };
type Side = 'yours' | 'theirs';

/** Two saves of the same settings, field by field. The preselected side is the one that changed the field. */
export function ConflictDialog({ conflict, form }: ConflictDialogProps) {
  const { timeZone } = usePageData().config.business;
  const nameOf = usePersonName();
  const { current, changedBy, changedAt, differences } = conflict;
  const [chosen, setChosen] = useState<Readonly<Record<string, Side>>>(() =>
    Object.fromEntries(
      differences.map(({ path, base, yours }) => [path, isSame(base, yours) ? 'theirs' : ('yours' as const)]),
    ),
  );
  const save = () => {
    const mine = differences.filter(({ path }) => chosen[path] === 'yours');
    const merged = mine.reduce((draft, { path, yours }) => withField(draft, path, yours), draftOf(current));
    form.merge(merged, current);
  };
  const when = changedAt === null ? '' : timeText(changedAt, timeZone);
  return (
    <Dialog title={settingsTexts.conflict} onClose={form.backToForm}>
      <div className={cards.stack}>
        <p>{settingsTexts.conflictText(changedBy === null ? 'Somebody' : nameOf(changedBy), when)}</p>
        {differences.map(({ path, name, base, yours, theirs }) => (
          <fieldset key={path} className={styles.difference}>
            <legend className={styles.legend}>{name}</legend>
            {!isSame(base, yours) && !isSame(base, theirs) && <p>{settingsTexts.both}</p>}
            <Radio.Group
              aria-label={name}
              value={chosen[path]}
              onChange={({ target }) =>
                setChosen({ ...chosen, [path]: target.value === 'theirs' ? 'theirs' : 'yours' })
              }
            >
              <Radio value="yours">
                {settingsTexts.yours}: {shown(yours)}
              </Radio>
              <Radio value="theirs">
                {settingsTexts.theirs}: {shown(theirs)}
              </Radio>
            </Radio.Group>
          </fieldset>
        ))}
        <div className={cards.buttons}>
          <Button onClick={form.backToForm}>{settingsTexts.backToForm}</Button>
          <Button type="primary" onClick={save}>
            {settingsTexts.useAndSave}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function isSame(first: unknown, second: unknown): boolean {
  return JSON.stringify(first ?? null) === JSON.stringify(second ?? null);
}

/** A value on the wire as text. */
function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return settingsTexts.empty;
  if (Array.isArray(value)) return value.map(shown).join('; ') || settingsTexts.empty;
  if (typeof value === 'object') return Object.values(value).map(shown).join(', ');
  return typeof value === 'number' ? value.toFixed(2) : String(value);
}
