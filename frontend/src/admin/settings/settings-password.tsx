import { useState } from 'react';
import { PasswordPrompt } from '../session/password-prompt.tsx';
import { givePasswordAgain } from '../session/session-calls.ts';
import { Dialog } from '../ui/dialog.tsx';
import { settingsTexts } from './texts.ts';

type SettingsPasswordProps = { readonly onRight: () => void; readonly onCancel: () => void };

/** Before prices change, whoever sits here has to know the password; the save then goes on by itself. */
export function SettingsPassword({ onRight, onCancel }: SettingsPasswordProps) {
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
    <Dialog title={settingsTexts.password} onClose={busy ? undefined : onCancel}>
      <PasswordPrompt
        busy={busy}
        problem={problem}
        onPassword={(password) => void check(password)}
        onCancel={onCancel}
      />
    </Dialog>
  );
}
