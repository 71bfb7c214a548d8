import { type ExportFormat, exportFormats, tokenDays } from '@kilim/bff/contract/exports';
import { Alert, Button, Checkbox } from 'antd';
import { type FormEvent, useState } from 'react';
import { showToast } from '../../shared/toast/toast-store.ts';
import { FieldError } from '../../shared/ui/text-field.tsx';
import { formatTexts, rangeTexts, tokenTexts } from '../shared/accounting/texts.ts';
import { usePasswordGate } from '../shared/session/password-gate.tsx';
import cards from '../shared/ui/card.module.css';
import { Field, TextField } from '../shared/ui/field.tsx';
import { DayFilter, DayPair } from '../shared/ui/filters.tsx';
import styles from './accounting.module.css';
import { createToken, type NewToken, toastOf } from './accounting-calls.ts';
import { passwordTitle } from './texts.ts';

const blank: NewToken = { name: '', formats: [], from: undefined, to: undefined, validDays: tokenDays.usual };

/** The token opens only the chosen files. */
export function NewTokenForm({ onCreated }: { readonly onCreated: () => void }) {
  const { wanted, setWanted, problems, token, busy, submit, prompt } = useNewToken(onCreated);
  const { name, formats, from, to, validDays } = wanted;
  return (
    <>
      <form className={styles.newToken} onSubmit={submit} noValidate>
        <TextField
          label={tokenTexts.name}
          hint={tokenTexts.nameHint}
          error={problems['name']}
          value={name}
          maxLength={100}
          autoComplete="off"
          onText={(text) => setWanted({ ...wanted, name: text })}
        />
        <Files
          chosen={formats}
          problem={problems['formats']}
          onChoose={(chosen) => setWanted({ ...wanted, formats: chosen })}
        />
        <fieldset className={styles.choices}>
          <legend className={styles.legend}>{tokenTexts.days}</legend>
          <p className={cards.soft}>{tokenTexts.daysHint}</p>
          <DayPair>
            <DayFilter
              label={rangeTexts.from}
              value={from}
              onChoose={(day) =>
                setWanted({ ...wanted, from: day, to: to !== undefined && day && day > to ? day : to })
              }
            />
            <DayFilter
              label={rangeTexts.to}
              value={to}
              onChoose={(day) =>
                setWanted({ ...wanted, to: day, from: from !== undefined && day && day < from ? day : from })
              }
            />
          </DayPair>
        </fieldset>
        <Expiry days={validDays} onChoose={(days) => setWanted({ ...wanted, validDays: days })} />
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
  const { busy, attempt, prompt } = usePasswordGate<{ readonly token: string }>(passwordTitle);
  const [wanted, setWanted] = useState(blank);
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const [token, setToken] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    // The server asks for the password before it looks at the fields.
    if (wanted.formats.length === 0) return setProblems({ formats: tokenTexts.noFile });
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

type FilesProps = {
  readonly chosen: readonly ExportFormat[];
  readonly problem: string | undefined;
  readonly onChoose: (chosen: readonly ExportFormat[]) => void;
};

function Files({ chosen, problem, onChoose }: FilesProps) {
  const all = chosen.length === exportFormats.length;
  return (
    <fieldset className={styles.choices}>
      <legend className={styles.legend}>{tokenTexts.files}</legend>
      <div className={styles.files}>
        <Checkbox
          checked={all}
          indeterminate={!all && chosen.length > 0}
          onChange={({ target }) => onChoose(target.checked ? exportFormats : [])}
        >
          {tokenTexts.allFiles}
        </Checkbox>
        {exportFormats.map((format) => (
          <Checkbox
            key={format}
            checked={chosen.includes(format)}
            onChange={({ target }) =>
              onChoose(exportFormats.filter((each) => (each === format ? target.checked : chosen.includes(each))))
            }
          >
            {formatTexts[format].name}
          </Checkbox>
        ))}
      </div>
      {problem !== undefined && <FieldError message={problem} />}
    </fieldset>
  );
}

type ExpiryProps = { readonly days: number; readonly onChoose: (days: number) => void };

function Expiry({ days, onChoose }: ExpiryProps) {
  return (
    <Field label={tokenTexts.expiry}>
      {(control) => (
        <select
          {...control}
          className={styles.select}
          value={days}
          onChange={({ target }) => onChoose(Number(target.value))}
        >
          {Object.entries(tokenTexts.expiries).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function ShownOnce({ token }: { readonly token: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(token);
      showToast({ title: tokenTexts.copied });
    } catch {
      showToast({ title: tokenTexts.copyFailed, variant: 'destructive' });
    }
  };
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
            <code className={styles.code}>{token}</code>
          </p>
          <p>{tokenTexts.how}</p>
          <Button className={styles.copy ?? ''} onClick={() => void copy()}>
            {tokenTexts.copy}
          </Button>
        </>
      }
    />
  );
}
