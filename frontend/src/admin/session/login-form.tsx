import { Alert, Button, Input } from 'antd';
import { type FormEvent, useState } from 'react';
import cards from '../ui/card.module.css';
import { Field } from '../ui/field.tsx';
import { signIn } from './session-calls.ts';
import { sessionTexts } from './texts.ts';

/** No field is required, and the page checks nothing (specification, sections 2.5 and 5). */
export function LoginForm() {
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    const answer = await signIn(username, password);
    setBusy(false);
    setProblem(answer.ok ? undefined : answer.rejection);
  };
  return (
    <form className={cards.stack} onSubmit={(event) => void submit(event)} noValidate>
      {problem !== undefined && <Alert type="error" title={problem} role="alert" showIcon />}
      <Field label={sessionTexts.username}>
        {(control) => (
          <Input
            {...control}
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            value={username}
            onChange={({ target }) => setUsername(target.value)}
          />
        )}
      </Field>
      <Field label={sessionTexts.password}>
        {(control) => (
          <Input
            {...control}
            name="password"
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={({ target }) => setPassword(target.value)}
          />
        )}
      </Field>
      <Button type="primary" htmlType="submit" loading={busy} block>
        {busy ? sessionTexts.signingIn : sessionTexts.signIn}
      </Button>
    </form>
  );
}
