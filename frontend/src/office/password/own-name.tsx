import { useQueryClient } from '@tanstack/react-query';
import { Alert, Button } from 'antd';
import { type FormEvent, useState } from 'react';
import { showToast } from '../../shared/toast/toast-store.ts';
import { peopleKey } from '../shared/api/query-keys.ts';
import { sessionQuery, useSession } from '../shared/session/current-session.tsx';
import { officeTexts } from '../shared/texts.ts';
import cards from '../shared/ui/card.module.css';
import { Card, Facts } from '../shared/ui/card.tsx';
import { TextField } from '../shared/ui/field.tsx';
import { changeOwnName } from './account-calls.ts';
import { nameTexts } from './texts.ts';

export function OwnName() {
  const { username, displayName = username, role } = useSession();
  const queryClient = useQueryClient();
  const [name, setName] = useState(displayName);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    const outcome = await changeOwnName(name);
    setBusy(false);
    setProblem(outcome.kind === 'failed' ? outcome.message || officeTexts.failed : undefined);
    if (outcome.kind !== 'done') return;
    showToast({ title: nameTexts.saved });
    void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    void queryClient.invalidateQueries({ queryKey: peopleKey });
  };
  return (
    <Card title={nameTexts.heading}>
      <div className={cards.stack}>
        <Facts
          facts={[
            [nameTexts.signedInAs, username],
            [nameTexts.role, officeTexts.roles[role]],
          ]}
        />
        <form className={cards.form} onSubmit={(event) => void submit(event)} noValidate>
          {problem !== undefined && <Alert type="error" role="alert" showIcon title={problem} />}
          <TextField
            label={nameTexts.name}
            hint={nameTexts.nameHint}
            value={name}
            maxLength={100}
            autoComplete="name"
            onText={setName}
          />
          <div>
            <Button htmlType="submit" loading={busy}>
              {nameTexts.save}
            </Button>
          </div>
        </form>
      </div>
    </Card>
  );
}
