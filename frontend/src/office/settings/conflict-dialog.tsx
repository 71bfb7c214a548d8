import { fieldName } from '@kilim/domain/settings/describe-change';
import { Button, Radio } from 'antd';
import { useState } from 'react';
import { usePageData } from '../../shared/page-data.ts';
import { usePersonName } from '../shared/person-names.ts';
import type { SettingsConflict } from '../shared/settings/settings-calls.ts';
import cards from '../shared/ui/card.module.css';
import { Dialog } from '../shared/ui/dialog.tsx';
import { timeText } from '../shared/ui/format.ts';
import styles from './settings.module.css';
import { isOfBoth, mergedDraft } from './settings-draft.ts';
import { wordsFor } from './settings-fields.ts';
import { settingsTexts } from './texts.ts';
import type { SettingsFormState } from './use-settings-form.ts';

type ConflictDialogProps = { readonly conflict: SettingsConflict; readonly form: SettingsFormState };
type Side = 'yours' | 'theirs';

/** Fields that two people changed differently. All others are merged without a question. */
export function ConflictDialog({ conflict, form }: ConflictDialogProps) {
  const { timeZone } = usePageData().config.business;
  const nameOf = usePersonName();
  const { current, changedBy, changedAt } = conflict;
  const differences = conflict.differences.filter(isOfBoth);
  const [chosen, setChosen] = useState<Readonly<Record<string, Side>>>({});
  const sideOf = (path: string): Side => chosen[path] ?? 'yours';
  const save = () =>
    form.merge(
      mergedDraft(conflict, (path) => sideOf(path) === 'yours'),
      current,
    );
  const when = changedAt === null ? '' : timeText(changedAt, timeZone);
  return (
    <Dialog title={settingsTexts.conflict} onClose={form.backToForm}>
      <div className={cards.stack}>
        <p>{settingsTexts.conflictText(changedBy === null ? settingsTexts.somebody : nameOf(changedBy), when)}</p>
        {differences.map(({ path, name, yours, theirs }) => (
          <fieldset key={path} className={styles.difference}>
            <legend className={cards.legend}>{name}</legend>
            <Radio.Group
              aria-label={name}
              value={sideOf(path)}
              onChange={({ target }) =>
                setChosen({ ...chosen, [path]: target.value === 'theirs' ? 'theirs' : 'yours' })
              }
            >
              <Radio value="yours">
                {settingsTexts.yours}: <Shown path={path} value={yours} />
              </Radio>
              <Radio value="theirs">
                {settingsTexts.theirs}: <Shown path={path} value={theirs} />
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

function Shown({ path, value }: { readonly path: string; readonly value: unknown }) {
  if (path.startsWith('addOnImages.') && typeof value === 'string' && value !== '') {
    return <img className={styles.thumbnail} src={value} alt={settingsTexts.imageAlt(fieldName(path))} />;
  }
  return wordsFor(path, value) || settingsTexts.empty;
}
