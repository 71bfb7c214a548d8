import { tokenDays } from '@kilim/bff/contract/exports';
import { Alert, Button } from 'antd';
import { type FormEvent, useState } from 'react';
import { classNames } from '../../shared/ui/class-names.ts';
import { tokenTexts } from '../shared/accounting/texts.ts';
import { usePasswordGate } from '../shared/session/password-gate.tsx';
import cards from '../shared/ui/card.module.css';
import { CopyButton } from '../shared/ui/copy-button.tsx';
import { SelectField, TextField } from '../shared/ui/field.tsx';
import styles from './accounting.module.css';
import { createToken, type NewToken, toastOf } from './accounting-calls.ts';
import { passwordTitle } from './texts.ts';

const blank: NewToken = { name: '', validDays: tokenDays.usual };

export function NewTokenForm({ onCreated }: { readonly onCreated: () => void }) {
  const { wanted, setWanted, problems, token, busy, submit, prompt } = useNewToken(onCreated);
  const { name, validDays } = wanted;
  return (
    <>
      <form className={classNames(cards.stack, styles.newToken)} onSubmit={submit} noValidate>
        <TextField
          label={tokenTexts.name}
          hint={tokenTexts.nameHint}
          error={problems['name']}
          value={name}
          maxLength={100}
          autoComplete="off"
          onText={(text) => setWanted({ ...wanted, name: text })}
        />
        <SelectField
          label={tokenTexts.expiry}
          value={String(validDays)}
          options={Object.entries(tokenTexts.expiries)}
          onChoose={(days) => setWanted({ ...wanted, validDays: Number(days) })}
        />
        <div>
          <Button htmlType="submit" type="primary" loading={busy}>
            {tokenTexts.create}
          </Button>
        </div>
      </form>
      {token !== undefined && <ShownOnce token={token} />}
      {prompt}
    </>
  );
}

function useNewToken(onCreated: () => void) {
  const { busy, attempt, prompt } = usePasswordGate(passwordTitle);
  const [wanted, setWanted] = useState(blank);
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const [token, setToken] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setProblems({});
    attempt({
      call: () => createToken(wanted),
      onDone: (created) => {
        setToken(created.token);
        setWanted(blank);
        onCreated();
      },
      onFailed: (failed) => {
        setProblems(failed.fields);
        if (Object.keys(failed.fields).length === 0) toastOf(tokenTexts.failed)(failed);
      },
    });
  };
  return { wanted, setWanted, problems, token, busy, submit, prompt };
}

function ShownOnce({ token }: { readonly token: string }) {
  return (
    <Alert
      className={styles.shown ?? ''}
      type="success"
      role="status"
      showIcon
      title={tokenTexts.created}
      description={
        <>
          <p>
            <code className={cards.secret}>{token}</code>
          </p>
          <p>{tokenTexts.how}</p>
          <CopyButton text={token} texts={tokenTexts} className={styles.copy} />
        </>
      }
    />
  );
}
