import { Dialog } from '../ui/dialog.tsx';
import { LoginForm } from './login-form.tsx';
import { sessionTexts } from './texts.ts';

/** Stands before whatever is open. It cannot be waved away: nothing behind it would work. */
export function LoginOverlay() {
  return (
    <Dialog title={sessionTexts.againHeading}>
      <p style={{ marginBottom: 'var(--space-4)' }}>{sessionTexts.againHint}</p>
      <LoginForm />
    </Dialog>
  );
}
