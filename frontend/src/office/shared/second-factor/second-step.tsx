import { signInCode } from '@kilim/bff/contract/second-factor-requests';
import { Alert, Button } from 'antd';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { problemsOf } from '../api/outcome.ts';
import { giveSignInCode, type NeededFactors } from '../session/session-calls.ts';
import { signedIn } from '../session/session-store.ts';
import { sessionTexts } from '../session/texts.ts';
import cards from '../ui/card.module.css';
import { TextField } from '../ui/field.tsx';
import { canUsePasskeys, signInWithPasskey } from './passkeys.ts';
import styles from './second-factor.module.css';
import { stepTexts } from './texts.ts';

type SecondStepProps = { readonly factors: NeededFactors; readonly onBack: () => void };

export function SecondStep({ factors, onBack }: SecondStepProps) {
  const [code, setCode] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [wrong, setWrong] = useState<string>();
  const box = useRef<HTMLFormElement>(null);
  const hasPasskey = factors.includes('passkey') && canUsePasskeys();
  useEffect(() => box.current?.querySelector<HTMLElement>(hasPasskey ? 'button' : 'input')?.focus(), [hasPasskey]);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { code: unfit } = problemsOf(signInCode, { code });
    setWrong(unfit);
    if (busy || unfit !== undefined) return;
    setBusy(true);
    const answer = await giveSignInCode(code);
    setBusy(false);
    setProblem(answer.ok ? undefined : answer.rejection);
  };
  return (
    <form ref={box} className={cards.stack} onSubmit={(event) => void submit(event)} noValidate>
      <h2>{stepTexts.heading}</h2>
      <p>{stepTexts.why}</p>
      {problem !== undefined && <Alert type="error" title={problem} role="alert" showIcon />}
      {hasPasskey && <PasskeyButton text={stepTexts.usePasskey} primary onProblem={setProblem} />}
      {hasPasskey && <p className={styles.or}>{stepTexts.or}</p>}
      <TextField
        label={stepTexts.code}
        hint={stepTexts.codeHint(factors)}
        error={wrong}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        value={code}
        onText={setCode}
      />
      <Button type={hasPasskey ? 'default' : 'primary'} htmlType="submit" loading={busy} block>
        {busy ? sessionTexts.signingIn : stepTexts.codeButton}
      </Button>
      <Button onClick={onBack} block>
        {stepTexts.back}
      </Button>
    </form>
  );
}

type PasskeyButtonProps = {
  readonly text: string;
  readonly primary?: boolean;
  readonly onProblem: (message: string | undefined) => void;
};

/** Needs no name and no password. */
function PasskeyButton({ text, primary = false, onProblem }: PasskeyButtonProps) {
  const [busy, setBusy] = useState(false);
  const signIn = async () => {
    setBusy(true);
    const answer = await signInWithPasskey();
    setBusy(false);
    onProblem(answer.ok ? undefined : answer.rejection);
    if (answer.ok) signedIn();
  };
  return (
    <Button type={primary ? 'primary' : 'default'} loading={busy} onClick={() => void signIn()} block>
      {text}
    </Button>
  );
}
