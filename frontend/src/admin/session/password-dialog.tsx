import { useState } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { PasswordPrompt } from './password-prompt.tsx';
import { givePasswordAgain } from './session-calls.ts';

type PasswordDialogProps = {
  readonly title: string;
  readonly onRight: () => void;
  readonly onCancel: () => void;
};

/** Asks for the password before a change of prices or an erasure, and then continues it. */
export function PasswordDialog({ title, onRight, onCancel }: PasswordDialogProps) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const check = async (password: string) => {
    setBusy(true);
    const answer = await givePasswordAgain(password);
    setBusy(false);
    if (answer === 'right') onRight();
    else if (answer !== 'signed-out') setProblem(answer.message);
  };
  return (
    <Dialog title={title} onClose={busy ? undefined : onCancel}>
      <PasswordPrompt
        busy={busy}
        problem={problem}
        onPassword={(password) => void check(password)}
        onCancel={onCancel}
      />
    </Dialog>
  );
}
