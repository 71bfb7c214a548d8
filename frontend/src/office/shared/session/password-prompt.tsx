import { Alert, Button } from 'antd';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { canUsePasskeys } from '../second-factor/passkeys.ts';
import factor from '../second-factor/second-factor.module.css';
import { stepTexts } from '../second-factor/texts.ts';
import { officeTexts } from '../texts.ts';
import cards from '../ui/card.module.css';
import { DialogButtons } from '../ui/dialog-buttons.tsx';
import { TextField } from '../ui/field.tsx';
import { useSession } from './current-session.tsx';
import type { NeededFactors, Proving } from './session-calls.ts';
import { sessionTexts } from './texts.ts';

export type PasswordPromptProps = {
  readonly busy: boolean;
  readonly problem: string | undefined;
  readonly onProve: (proving: Proving) => void;
  readonly onCancel: () => void;
};

/** Proves again who the person is: with a passkey, or a password and, with a second factor, a code. */
export function PasswordPrompt({ busy, problem, onProve, onCancel }: PasswordPromptProps) {
  const { secondFactors } = useSession();
  const hasPasskey = secondFactors.includes('passkey') && canUsePasskeys();
  const [withPassword, setWithPassword] = useState(!hasPasskey);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector<HTMLElement>(withPassword ? 'input' : 'button')?.focus(), [withPassword]);
  return (
    <div ref={box} className={cards.stack}>
      <h3>{withPassword ? sessionTexts.passwordAgainHeading : stepTexts.passkeyFirst}</h3>
      <p>{sessionTexts.passwordAgainHint}</p>
      {problem !== undefined && <Alert type="error" title={problem} role="alert" showIcon />}
      {withPassword ? (
        <PasswordFields busy={busy} factors={secondFactors} onProve={onProve} onCancel={onCancel} />
      ) : (
        <>
          <Button type="primary" loading={busy} onClick={() => onProve('passkey')}>
            {stepTexts.usePasskey}
          </Button>
          <p className={factor.or}>{stepTexts.or}</p>
          <div className={cards.buttons}>
            <Button onClick={onCancel} disabled={busy}>
              {officeTexts.cancel}
            </Button>
            <Button onClick={() => setWithPassword(true)} disabled={busy}>
              {stepTexts.withPassword}
            </Button>
          </div>
        </>
      )}
    </div>
  );
}

type PasswordFieldsProps = Omit<PasswordPromptProps, 'problem'> & { readonly factors: NeededFactors };

function PasswordFields({ busy, factors, onProve, onCancel }: PasswordFieldsProps) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!busy) onProve({ password, code });
  };
  return (
    <form className={cards.stack} onSubmit={submit} noValidate>
      <TextField
        label={sessionTexts.currentPassword}
        type="password"
        autoComplete="current-password"
        value={password}
        onText={setPassword}
      />
      {factors.length > 0 && (
        <TextField
          label={stepTexts.code}
          hint={stepTexts.codeHint(factors)}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          value={code}
          onText={setCode}
        />
      )}
      <DialogButtons busy={busy} onCancel={onCancel}>
        {busy ? sessionTexts.confirming : sessionTexts.confirm}
      </DialogButtons>
    </form>
  );
}
