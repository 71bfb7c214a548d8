import { Dialog } from '../ui/dialog.tsx';
import { LoginForm } from './login-form.tsx';
import { sessionTexts } from './texts.ts';

/** Covers the page. It cannot be closed, because no call works without a session. */
export function LoginOverlay() {
  return (
    <Dialog title={sessionTexts.againHeading}>
      <p style={{ marginBottom: 'var(--space-4)' }}>{sessionTexts.againHint}</p>
      <LoginForm />
    </Dialog>
  );
}
