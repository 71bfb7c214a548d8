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
export function usePasswordGate(title: string = officeTexts.confirm) {
  const [busy, setBusy] = useState(false);
  const [waiting, setWaiting] = useState<() => Promise<void>>();
  const [problem, setProblem] = useState<string>();
  const run = async <Value,>(attempt: Attempt<Value>): Promise<void> => {
    setBusy(true);
    const outcome = await attempt.call();
    setBusy(false);
    setWaiting(outcome.kind === 'password-needed' ? () => () => run(attempt) : undefined);
    if (outcome.kind === 'done') attempt.onDone(outcome.value);
    if (outcome.kind === 'failed') attempt.onFailed(outcome);
  };
  const giveTo = async (repeat: () => Promise<void>, proving: Proving) => {
    setBusy(true);
    const answer = await proveAgain(proving);
    setBusy(false);
    setProblem(typeof answer === 'string' ? undefined : answer.message);
    if (answer === 'right') return repeat();
  };
  const cancel = () => {
    setWaiting(undefined);
    setProblem(undefined);
  };
  return {
    busy,
    attempt: <Value,>(attempt: Attempt<Value>) => void run(attempt),
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
