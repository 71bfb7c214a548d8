import type { PasswordStrength } from '@kilim/bff/contract/session';
import { useQueryClient } from '@tanstack/react-query';
import { Alert, Button, Input } from 'antd';
import { type FormEvent, useEffect, useState } from 'react';
import { tokensQuery } from '../shared/accounting/export-calls.ts';
import { sessionQuery } from '../shared/session/current-session.tsx';
import { usePasswordGate } from '../shared/session/password-gate.tsx';
import { PasswordProblem } from '../shared/session/password-problem.tsx';
import cards from '../shared/ui/card.module.css';
import { Field } from '../shared/ui/field.tsx';
import styles from './password.module.css';
import {
  askStrength,
  changePassword,
  type PasswordOutcome,
  type PasswordForm as Passwords,
  problemOfPasswords,
  sessionsQuery,
} from './password-calls.ts';
import { passwordPageTexts } from './texts.ts';

function nothingTyped(asksCurrent: boolean): Passwords {
  return { current: asksCurrent ? '' : undefined, next: '', confirm: '' };
}

const fields = [
  { name: 'current', label: passwordPageTexts.current, autoComplete: 'current-password' },
  { name: 'next', label: passwordPageTexts.next, autoComplete: 'new-password' },
  { name: 'confirm', label: passwordPageTexts.confirm, autoComplete: 'new-password' },
] as const;

/** @param asksCurrent false while the sign-in proves it. */
export function PasswordForm({ asksCurrent = true }: { readonly asksCurrent?: boolean }) {
  const { passwords, outcome, busy, edit, submit, prompt } = usePasswordForm(asksCurrent);
  const [shown, setShown] = useState(false);
  const isAsked = ({ name }: { readonly name: keyof Passwords }) => passwords[name] !== undefined;
  return (
    <>
      <form className={cards.form} onSubmit={submit} noValidate>
        {outcome !== undefined && <Outcome outcome={outcome} />}
        {fields.filter(isAsked).map(({ name, label, autoComplete }) => (
          <Field key={name} label={label} {...(name === 'next' ? { hint: passwordPageTexts.hint } : {})}>
            {(control) => (
              <>
                <Input
                  {...control}
                  type={shown ? 'text' : 'password'}
                  autoComplete={autoComplete}
                  autoCapitalize="none"
                  spellCheck={false}
                  value={passwords[name]}
                  onChange={({ target }) => edit({ ...passwords, [name]: target.value })}
                />
                {name === 'next' && <StrengthMeter password={passwords.next} />}
              </>
            )}
          </Field>
        ))}
        <div className={styles.actions}>
          <Button onClick={() => setShown(!shown)}>{shown ? passwordPageTexts.hide : passwordPageTexts.show}</Button>
          <Button type="primary" htmlType="submit" loading={busy}>
            {busy ? passwordPageTexts.updating : passwordPageTexts.update}
          </Button>
        </div>
      </form>
      {prompt}
    </>
  );
}

function usePasswordForm(asksCurrent: boolean) {
  const queryClient = useQueryClient();
  const [passwords, setPasswords] = useState(() => nothingTyped(asksCurrent));
  const [outcome, setOutcome] = useState<PasswordOutcome>();
  const { busy, attempt, prompt } = usePasswordGate(passwordPageTexts.factorNeeded);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const message = problemOfPasswords(passwords);
    if (message !== undefined) return setOutcome({ kind: 'failed', message, suggestions: [] });
    attempt({
      call: async () => {
        const result = await changePassword(passwords);
        return result.kind === 'factor-needed' ? { kind: 'password-needed' } : { kind: 'done', value: result };
      },
      onDone: show,
      onFailed: ({ message: problem }) => setOutcome({ kind: 'failed', message: problem, suggestions: [] }),
    });
  };
  const show = (result: PasswordOutcome) => {
    setOutcome(result.kind === 'signed-out' ? undefined : result);
    if (result.kind === 'current-needed') setPasswords({ ...passwords, current: '' });
    if (result.kind === 'updated') {
      setPasswords(nothingTyped(asksCurrent));
      void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      void queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey });
      // A temporary password is replaced now, so the other pages open.
      void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    }
  };
  const edit = (next: Passwords) => {
    setPasswords(next);
    setOutcome(undefined);
  };
  return { passwords, outcome, busy, edit, submit, prompt };
}

function Outcome({ outcome }: { readonly outcome: PasswordOutcome }) {
  if (outcome.kind === 'signed-out' || outcome.kind === 'factor-needed') return null;
  if (outcome.kind === 'updated') {
    const { endedSessions } = outcome;
    return (
      <Alert
        type="success"
        role="status"
        showIcon
        title={passwordPageTexts.updated}
        description={endedSessions > 0 ? passwordPageTexts.updatedMore(endedSessions) : undefined}
      />
    );
  }
  if (outcome.kind === 'current-needed') {
    return <Alert type="info" role="alert" showIcon title={passwordPageTexts.currentNeeded} />;
  }
  return <PasswordProblem {...outcome} />;
}

const askDelayMilliseconds = 350;
const highestScore = 4;

function StrengthMeter({ password }: { readonly password: string }) {
  const strength = useStrength(password);
  return (
    <div role="status" className={styles.strength}>
      {strength !== undefined && (
        <>
          <p className={styles.verdict}>
            <meter
              aria-label={passwordPageTexts.strength}
              className={styles.meter}
              min={0}
              max={highestScore}
              low={2.5}
              high={3.5}
              optimum={highestScore}
              value={strength.score}
            />
            <strong>{strength.message ?? passwordPageTexts.strong(strength.score === highestScore)}</strong>
          </p>
          {strength.suggestions.length > 0 && <p className={cards.soft}>{strength.suggestions.join(' ')}</p>}
        </>
      )}
    </div>
  );
}

/** Waits after the last key. An earlier rating is never shown for a later text. */
function useStrength(password: string): PasswordStrength | undefined {
  const [judged, setJudged] = useState<{
    readonly password: string;
    readonly strength: PasswordStrength | undefined;
  }>();
  useEffect(() => {
    if (password === '') return;
    const question = new AbortController();
    const ask = async () => {
      const strength = await askStrength(password, question.signal);
      if (!question.signal.aborted) setJudged({ password, strength });
    };
    const timer = setTimeout(() => void ask(), askDelayMilliseconds);
    return () => {
      clearTimeout(timer);
      question.abort();
    };
  }, [password]);
  return judged?.password === password ? judged.strength : undefined;
}
