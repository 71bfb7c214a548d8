import { Alert, Button } from 'antd';
import { type FormEvent, useState } from 'react';
import { usePageData } from '../../../shared/page-data.ts';
import { WovenStrip } from '../../../shared/ui/woven-strip.tsx';
import { usePageTitle } from '../../../shared/use-page-title.ts';
import { canUsePasskeys } from '../second-factor/passkeys.ts';
import { PasskeyButton, SecondStep } from '../second-factor/second-step.tsx';
import { stepTexts } from '../second-factor/texts.ts';
import cards from '../ui/card.module.css';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import styles from './login.module.css';
import { type NeededFactors, signIn } from './session-calls.ts';
import { sessionTexts } from './texts.ts';

export function LoginScreen() {
  usePageTitle(sessionTexts.heading);
  const { name } = usePageData().config.business;
  return (
    <>
      <WovenStrip />
      <main className={styles.screen}>
        <div className={styles.card}>
          <div>
            <p>{name}</p>
            <h1>{sessionTexts.heading}</h1>
          </div>
          <LoginForm />
        </div>
      </main>
    </>
  );
}

/** Cannot be closed, because no call works without a session. */
export function LoginOverlay() {
  return (
    <Dialog title={sessionTexts.againHeading}>
      <p style={{ marginBottom: 'var(--space-4)' }}>{sessionTexts.againHint}</p>
      <LoginForm />
    </Dialog>
  );
}

/** No field is required or checked here (specification, sections 2.5 and 5). */
function LoginForm() {
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [factors, setFactors] = useState<NeededFactors>([]);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    const answer = await signIn(username, password);
    setBusy(false);
    setProblem(answer.ok ? undefined : answer.rejection);
    if (answer.ok) setFactors(answer.value);
  };
  const back = () => {
    setPassword('');
    setFactors([]);
  };
  if (factors.length > 0) return <SecondStep factors={factors} onBack={back} />;
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
      {canUsePasskeys() && <PasskeyButton text={stepTexts.signInWithPasskey} onProblem={setProblem} />}
    </form>
  );
}
