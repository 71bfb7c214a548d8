import type { SecondFactor, SecondFactors } from '@kilim/bff/contract/second-factor';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Alert, Button } from 'antd';
import { type FormEvent, useState } from 'react';
import { usePageData } from '../../shared/page-data.ts';
import { showToast } from '../../shared/toast/toast-store.ts';
import { AddFactor } from '../shared/second-factor/add-factor.tsx';
import {
  type Codes,
  factorsQuery,
  makeRecoveryCodes,
  removeFactor,
  renameFactor,
} from '../shared/second-factor/factor-calls.ts';
import { RecoveryCodes } from '../shared/second-factor/recovery-codes.tsx';
import styles from '../shared/second-factor/second-factor.module.css';
import { factorTexts, recoveryTexts } from '../shared/second-factor/texts.ts';
import { sessionQuery } from '../shared/session/current-session.tsx';
import { usePasswordGate } from '../shared/session/password-gate.tsx';
import { officeTexts } from '../shared/texts.ts';
import cards from '../shared/ui/card.module.css';
import { Card } from '../shared/ui/card.tsx';
import { TextField } from '../shared/ui/field.tsx';
import { timeText } from '../shared/ui/format.ts';
import { Loaded } from '../shared/ui/loaded.tsx';
import { sessionsQuery } from './password-calls.ts';

export function FactorsCard() {
  const query = useQuery(factorsQuery);
  const queryClient = useQueryClient();
  const [codes, setCodes] = useState<readonly string[]>();
  const onChanged = (title: string, made: Codes = null) => {
    showToast({ title });
    if (made !== null) setCodes(made);
    void query.refetch();
    void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    // The first factor ends the sessions without it.
    void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
  };
  return (
    <Card title={factorTexts.heading} note={factorTexts.note}>
      <Loaded query={query} loading={factorTexts.loading} failed={factorTexts.loadFailed}>
        {(own) =>
          codes === undefined ? (
            <div className={cards.stack}>
              <FactorsList own={own} onChanged={onChanged} />
              {own.factors.length > 0 && (
                <RecoveryLine left={own.recoveryCodesLeft} onMade={(made) => setCodes(made ?? undefined)} />
              )}
              <AddFactor
                key={own.factors.length}
                own={own}
                onAdded={(name, made) => onChanged(factorTexts.addedNow(name), made)}
              />
            </div>
          ) : (
            <RecoveryCodes
              codes={codes}
              onDone={() => {
                setCodes(undefined);
                void query.refetch();
              }}
            />
          )
        }
      </Loaded>
    </Card>
  );
}

type OnChanged = (title: string) => void;

function FactorsList({ own, onChanged }: { readonly own: SecondFactors; readonly onChanged: OnChanged }) {
  if (own.factors.length === 0) return <p>{factorTexts.none}</p>;
  return (
    <ul className={cards.divided} aria-label={factorTexts.heading}>
      {own.factors.map((factor) => (
        <Factor key={factor.id} factor={factor} onChanged={onChanged} />
      ))}
    </ul>
  );
}

type FactorProps = { readonly factor: SecondFactor; readonly onChanged: OnChanged };

function Factor({ factor, onChanged }: FactorProps) {
  const { id, kind, name, createdAt, usedAt } = factor;
  const { timeZone } = usePageData().config.business;
  const [isRenaming, setRenaming] = useState(false);
  const [problem, setProblem] = useState<string>();
  const { busy, attempt, prompt } = usePasswordGate(factorTexts.password);
  const remove = () => {
    if (!window.confirm(factorTexts.confirmRemoval(name))) return;
    attempt({
      call: () => removeFactor(id),
      onDone: () => onChanged(factorTexts.removed(name)),
      onFailed: ({ message }) => setProblem(message || officeTexts.failed),
    });
  };
  return (
    <li className={cards.row}>
      <div>
        <p>
          <strong>{name}</strong> {factorTexts.kinds[kind]}
        </p>
        <p className={cards.soft}>
          {factorTexts.added(timeText(createdAt, timeZone))},{' '}
          {usedAt === null ? factorTexts.neverUsed : factorTexts.used(timeText(usedAt, timeZone))}
        </p>
        {problem !== undefined && <Alert type="error" role="alert" showIcon title={problem} />}
      </div>
      {isRenaming ? (
        <Rename
          factor={factor}
          onRenamed={() => {
            setRenaming(false);
            onChanged(factorTexts.saved);
          }}
          onCancel={() => setRenaming(false)}
        />
      ) : (
        <div className={styles.actions}>
          <Button aria-label={factorTexts.renameOf(name)} onClick={() => setRenaming(true)}>
            {factorTexts.rename}
          </Button>
          <Button danger aria-label={factorTexts.removeOf(name)} loading={busy} onClick={remove}>
            {factorTexts.remove}
          </Button>
        </div>
      )}
      {prompt}
    </li>
  );
}

type RenameProps = {
  readonly factor: SecondFactor;
  readonly onRenamed: () => void;
  readonly onCancel: () => void;
};

function Rename({ factor, onRenamed, onCancel }: RenameProps) {
  const [name, setName] = useState(factor.name);
  const [problem, setProblem] = useState<string>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const outcome = await renameFactor(factor.id, name);
    if (outcome.kind === 'done') return onRenamed();
    setProblem(outcome.kind === 'failed' && outcome.message !== '' ? outcome.message : officeTexts.failed);
  };
  return (
    <form className={styles.actions} onSubmit={(event) => void submit(event)} noValidate>
      <TextField label={factorTexts.name} value={name} onText={setName} error={problem} maxLength={100} autoFocus />
      <Button type="primary" htmlType="submit">
        {factorTexts.save}
      </Button>
      <Button onClick={onCancel}>{officeTexts.cancel}</Button>
    </form>
  );
}

type RecoveryLineProps = { readonly left: number; readonly onMade: (codes: Codes) => void };

function RecoveryLine({ left, onMade }: RecoveryLineProps) {
  const [problem, setProblem] = useState<string>();
  const { busy, attempt, prompt } = usePasswordGate(factorTexts.password);
  const make = () =>
    attempt({
      call: makeRecoveryCodes,
      onDone: onMade,
      onFailed: ({ message }) => setProblem(message || officeTexts.failed),
    });
  return (
    <div className={cards.row}>
      <div>
        <h3>{recoveryTexts.heading}</h3>
        <p className={cards.soft}>{recoveryTexts.left(left)}</p>
        {problem !== undefined && <Alert type="error" role="alert" showIcon title={problem} />}
      </div>
      <Button loading={busy} onClick={make}>
        {recoveryTexts.make}
      </Button>
      {prompt}
    </div>
  );
}
