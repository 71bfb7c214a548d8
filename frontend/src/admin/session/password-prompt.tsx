import { Alert, Button } from 'antd';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import cards from '../ui/card.module.css';
import { TextField } from '../ui/field.tsx';
import { sessionTexts } from './texts.ts';

export type PasswordPromptProps = {
  readonly busy: boolean;
  readonly problem: string | undefined;
  readonly onPassword: (password: string) => void;
  readonly onCancel: () => void;
};

/** Asks for the password again, inside the page or dialog that needs it. */
export function PasswordPrompt({ busy, problem, onPassword, onCancel }: PasswordPromptProps) {
  const [password, setPassword] = useState('');
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector('input')?.focus(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!busy) onPassword(password);
  };
  return (
    <form className={cards.stack} onSubmit={submit} noValidate>
      <div ref={box} className={cards.stack}>
        <h3>{sessionTexts.passwordAgainHeading}</h3>
        <p>{sessionTexts.passwordAgainHint}</p>
        {problem !== undefined && <Alert type="error" title={problem} role="alert" showIcon />}
        <TextField
          label={sessionTexts.currentPassword}
          type="password"
          autoComplete="current-password"
          value={password}
          onText={setPassword}
        />
      </div>
      <div className={cards.buttons}>
        <Button onClick={onCancel} disabled={busy}>
          {sessionTexts.cancel}
        </Button>
        <Button type="primary" htmlType="submit" loading={busy}>
          {busy ? sessionTexts.confirming : sessionTexts.confirm}
        </Button>
      </div>
    </form>
  );
}
