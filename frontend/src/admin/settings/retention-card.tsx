import {
  type ContactRetentionAnswer,
  type ContactRetentionRequest,
  contactRetention,
} from '@kilim/bff/contract/contact-retention';
import {
  builtInRetention,
  longestRetentionMonths,
  shortestRetentionMonths,
} from '@kilim/domain/admin/contact-retention';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Alert, Button, Checkbox } from 'antd';
import { type FormEvent, useState } from 'react';
import { call } from '../../shared/call.ts';
import { showToast } from '../../shared/toast/toast-store.ts';
import { adminQuery } from '../api/admin-query.ts';
import { type Failed, outcomeOf } from '../api/outcome.ts';
import { usePasswordGate } from '../session/password-gate.tsx';
import cards from '../ui/card.module.css';
import { Card } from '../ui/card.tsx';
import { TextField } from '../ui/field.tsx';
import { Loaded } from '../ui/loaded.tsx';
import styles from './settings.module.css';
import { retentionTexts } from './texts.ts';

const retentionQuery = adminQuery(
  ['admin', 'contact-retention'],
  call('GET /api/admin/contact-retention', { answer: contactRetention }),
);

function saveRetention(body: ContactRetentionRequest) {
  return outcomeOf(call('POST /api/admin/contact-retention', { body, answer: contactRetention }));
}

/** How long contacts of customers are kept. */
export function RetentionCard() {
  const query = useQuery({ ...retentionQuery, refetchOnWindowFocus: false });
  return (
    <Card title={retentionTexts.heading} note={retentionTexts.note}>
      <Loaded query={query} loading={retentionTexts.loading} failed={retentionTexts.loadFailed}>
        {/* A period that another owner has saved replaces the typed one. */}
        {(saved) => <RetentionForm key={saved.version} saved={saved} />}
      </Loaded>
    </Card>
  );
}

function RetentionForm({ saved: { version, months } }: { readonly saved: ContactRetentionAnswer }) {
  const queryClient = useQueryClient();
  const { busy, attempt, prompt } = usePasswordGate<ContactRetentionAnswer>(retentionTexts.password);
  const [isOn, setOn] = useState(months !== null);
  const [typed, setTyped] = useState(String(months ?? builtInRetention.months));
  const [failure, setFailure] = useState<Failed>();
  const wanted = isOn ? Number(typed.trim() === '' ? Number.NaN : typed) : null;
  const isValid =
    wanted === null ||
    (Number.isInteger(wanted) && wanted >= shortestRetentionMonths && wanted <= longestRetentionMonths);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy || !isValid) return;
    setFailure(undefined);
    attempt({
      call: () => saveRetention({ version, months: wanted }),
      onDone: (now) => {
        showToast({ title: retentionTexts.saved });
        queryClient.setQueryData(retentionQuery.queryKey, now);
      },
      onFailed: setFailure,
    });
  };
  return (
    <>
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
    </>
  );
}
