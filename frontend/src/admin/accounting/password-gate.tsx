import { type ReactNode, useState } from 'react';
import { showToast } from '../../shared/toast/toast-store.ts';
import { PasswordPrompt } from '../session/password-prompt.tsx';
import { givePasswordAgain } from '../session/session-calls.ts';
import { Dialog } from '../ui/dialog.tsx';
import type { Outcome } from './accounting-calls.ts';
import { passwordTitle } from './texts.ts';

type Attempt<Value> = {
  readonly call: () => Promise<Outcome<Value>>;
  readonly onDone: (value: Value) => void;
  /** Shown when the call failed, with the message of the server. */
  readonly failed: string;
};

/** Makes a call that may need a recent password: asks for it when needed, and repeats the call. */
export function usePasswordGate<Value>(): {
  readonly busy: boolean;
  readonly attempt: (attempt: Attempt<Value>) => void;
  /** The dialog to render; null while no password is needed. */
  readonly prompt: ReactNode;
} {
  const [busy, setBusy] = useState(false);
  const [waiting, setWaiting] = useState<Attempt<Value>>();
  const [problem, setProblem] = useState<string>();
  const run = async (attempt: Attempt<Value>) => {
    setBusy(true);
    const outcome = await attempt.call();
    setBusy(false);
    setWaiting(outcome.kind === 'password-needed' ? attempt : undefined);
    if (outcome.kind === 'done') attempt.onDone(outcome.value);
    if (outcome.kind === 'failed') {
      showToast({ title: attempt.failed, description: outcome.message, variant: 'destructive' });
    }
  };
  const giveTo = async (attempt: Attempt<Value>, password: string) => {
    setBusy(true);
    const answer = await givePasswordAgain(password);
    setBusy(false);
    if (answer === 'right') return run(attempt);
    if (answer !== 'signed-out') setProblem(answer.message);
  };
  const cancel = () => {
    setWaiting(undefined);
    setProblem(undefined);
  };
  return {
    busy,
    attempt: (attempt) => void run(attempt),
    prompt: waiting !== undefined && (
      <Dialog title={passwordTitle} onClose={busy ? undefined : cancel}>
        <PasswordPrompt
          busy={busy}
          problem={problem}
          onPassword={(password) => void giveTo(waiting, password)}
          onCancel={cancel}
        />
      </Dialog>
    ),
  };
}
