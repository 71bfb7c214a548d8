import { builtInContactRetention, settingsLimits } from '@kilim/domain/settings/settings';
import { Alert, Button, Checkbox } from 'antd';
import { type FormEvent, useState } from 'react';
import type { AdminSettings } from '../shared/settings/settings-calls.ts';
import { useSaveFields } from '../shared/settings/use-save-fields.ts';
import cards from '../shared/ui/card.module.css';
import { Card } from '../shared/ui/card.tsx';
import { TextField } from '../shared/ui/field.tsx';
import styles from './settings.module.css';
import { retentionTexts } from './texts.ts';

const { shortestRetentionMonths, longestRetentionMonths } = settingsLimits;

export function RetentionCard({ saved: { version, contactRetention } }: { readonly saved: AdminSettings }) {
  const { months } = contactRetention;
  const { busy, prompt, failure, save } = useSaveFields(retentionTexts);
  const [isOn, setOn] = useState(months !== null);
  const [typed, setTyped] = useState(String(months ?? builtInContactRetention.months));
  const wanted = isOn ? Number(typed.trim() === '' ? Number.NaN : typed) : null;
  const isValid =
    wanted === null ||
    (Number.isInteger(wanted) && wanted >= shortestRetentionMonths && wanted <= longestRetentionMonths);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isValid) save({ contactRetention: { months: wanted } }, version);
  };
  return (
    <Card title={retentionTexts.heading} note={retentionTexts.note}>
      <form className={cards.stack} onSubmit={submit} noValidate>
        {failure !== undefined && <Alert type="error" role="alert" showIcon title={failure.message} />}
        <Checkbox checked={isOn} disabled={busy} onChange={({ target }) => setOn(target.checked)}>
          {retentionTexts.erase}
        </Checkbox>
        {isOn && (
          <div className={styles.months}>
            <TextField
              label={retentionTexts.months}
              hint={retentionTexts.hint}
              error={isValid ? undefined : retentionTexts.range}
              inputMode="numeric"
              autoComplete="off"
              disabled={busy}
              value={typed}
              onText={setTyped}
            />
          </div>
        )}
        <div>
          <Button htmlType="submit" loading={busy} disabled={!isValid || wanted === months}>
            {retentionTexts.save}
          </Button>
        </div>
      </form>
      {prompt}
    </Card>
  );
}
