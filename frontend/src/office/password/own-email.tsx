import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Alert, Button } from 'antd';
import { type FormEvent, useState } from 'react';
import { showToast } from '../../shared/toast/toast-store.ts';
import type { Failed } from '../shared/api/outcome.ts';
import { usePasswordGate } from '../shared/session/password-gate.tsx';
import { officeTexts } from '../shared/texts.ts';
import cards from '../shared/ui/card.module.css';
import { Card } from '../shared/ui/card.tsx';
import { TextField } from '../shared/ui/field.tsx';
import { Loaded } from '../shared/ui/loaded.tsx';
import { changeOwnEmail, ownEmailQuery } from './account-calls.ts';
import { emailTexts } from './texts.ts';

export function OwnEmail() {
  const query = useQuery(ownEmailQuery);
  return (
    <Card title={emailTexts.heading} note={emailTexts.note}>
      <Loaded query={query} loading={emailTexts.loading} failed={emailTexts.loadFailed}>
        {({ email }) => <EmailForm key={email} saved={email ?? ''} />}
      </Loaded>
    </Card>
  );
}

function EmailForm({ saved }: { readonly saved: string }) {
  const queryClient = useQueryClient();
  const { busy, attempt, prompt } = usePasswordGate();
  const [email, setEmail] = useState(saved);
  const [failed, setFailed] = useState<Failed>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    attempt({
      call: () => changeOwnEmail(email.trim() === '' ? null : email),
      onDone: () => {
        setFailed(undefined);
        showToast({ title: emailTexts.saved });
        void queryClient.invalidateQueries({ queryKey: ownEmailQuery.queryKey });
      },
      onFailed: setFailed,
    });
  };
  const error = failed?.fields?.['email'];
  return (
    <>
      <form className={cards.form} onSubmit={submit} noValidate>
        {failed !== undefined && error === undefined && (
          <Alert type="error" role="alert" showIcon title={failed.message || officeTexts.failed} />
        )}
        <TextField
          label={emailTexts.email}
          hint={emailTexts.hint}
          error={error}
          value={email}
          type="email"
          autoComplete="email"
          onText={setEmail}
        />
        <div>
          <Button htmlType="submit" loading={busy}>
            {emailTexts.save}
          </Button>
        </div>
      </form>
      {prompt}
    </>
  );
}
