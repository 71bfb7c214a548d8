import { useState } from 'react';
import type { Failed, Outcome } from '../api/outcome.ts';
import { officeTexts } from '../texts.ts';
import { Dialog } from '../ui/dialog.tsx';
import { PasswordPrompt } from './password-prompt.tsx';
import { type Proving, proveAgain } from './session-calls.ts';

type Attempt<Value> = {
  readonly call: () => Promise<Outcome<Value>>;
  readonly onDone: (value: Value) => void;
  readonly onFailed: (failed: Failed) => void;
};

/**
 * Asks for a recent password when the call needs one, and repeats the call.
 * @param title of the dialog.
 */
export function usePasswordGate<Value>(title: string = officeTexts.confirm) {
  const [busy, setBusy] = useState(false);
  const [waiting, setWaiting] = useState<Attempt<Value>>();
  const [problem, setProblem] = useState<string>();
  const run = async (attempt: Attempt<Value>) => {
    setBusy(true);
    const outcome = await attempt.call();
    setBusy(false);
    setWaiting(outcome.kind === 'password-needed' ? attempt : undefined);
    if (outcome.kind === 'done') attempt.onDone(outcome.value);
    if (outcome.kind === 'failed') attempt.onFailed(outcome);
  };
  const giveTo = async (attempt: Attempt<Value>, proving: Proving) => {
    setBusy(true);
    const answer = await proveAgain(proving);
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
    attempt: (attempt: Attempt<Value>) => void run(attempt),
    /** False while no password is needed. */
    prompt: waiting !== undefined && (
      <Dialog title={title} onClose={busy ? undefined : cancel}>
        <PasswordPrompt
          busy={busy}
          problem={problem}
          onProve={(proving) => void giveTo(waiting, proving)}
          onCancel={cancel}
        />
      </Dialog>
    ),
  };
}
