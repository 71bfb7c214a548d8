import { Alert, Button } from 'antd';
import { type FormEvent, useState } from 'react';
import cards from '../ui/card.module.css';
import { TextField } from '../ui/field.tsx';
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
      <TextField
        label={sessionTexts.username}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        value={username}
        onText={setUsername}
      />
      <TextField
        label={sessionTexts.password}
        name="password"
        type="password"
        autoComplete="current-password"
        value={password}
        onText={setPassword}
      />
      <Button type="primary" htmlType="submit" loading={busy} block>
        {busy ? sessionTexts.signingIn : sessionTexts.signIn}
      </Button>
    </form>
  );
}
