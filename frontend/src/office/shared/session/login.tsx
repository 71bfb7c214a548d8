import { useEffect, useRef, useState } from 'react';
import { usePageData } from '../../../shared/page-data.ts';
import { usePageTitle } from '../../../shared/use-page-title.ts';
import { SecondStep } from '../second-factor/second-step.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { bindSignIn } from './bind-sign-in.ts';
import { handedSignIn } from './handed-sign-in.ts';
import type { NeededFactors } from './session-calls.ts';
import { signedIn } from './session-store.ts';
import { SignInForm } from './sign-in-form.tsx';
import { SignInPage } from './sign-in-page.tsx';
import { sessionTexts } from './texts.ts';

/** After the first step on the page that the server drew. */
export function LoginScreen() {
  usePageTitle(sessionTexts.heading);
  return (
    <SignInPage businessName={usePageData().config.business.name}>
      <LoginForm />
    </SignInPage>
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

function LoginForm() {
  const [factors, setFactors] = useState(handedSignIn()?.factors ?? []);
  if (factors.length > 0) return <SecondStep factors={factors} onBack={() => setFactors([])} />;
  return <FirstStep onFactors={setFactors} />;
}

function FirstStep({ onFactors }: { readonly onFactors: (factors: NeededFactors) => void }) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (form.current === null) return;
    return bindSignIn(form.current, ({ factors, token }) => {
      if (factors === undefined) signedIn(token);
      else onFactors(factors);
    });
  }, [onFactors]);
  return <SignInForm form={form} />;
}
