import { canUsePasskeys, signInWithPasskey } from '../second-factor/passkeys.ts';
import type { HandedSignIn } from './handed-sign-in.ts';
import { signIn } from './session-calls.ts';
import { sessionTexts } from './texts.ts';

/**
 * The behaviour of a `SignInForm`, without React, which is not loaded yet on the sign-in page.
 * @returns what removes it.
 */
export function bindSignIn(form: HTMLFormElement, onDone: (signIn: HandedSignIn) => void): () => void {
  const username = controlOf(form, 'username', HTMLInputElement);
  const password = controlOf(form, 'password', HTMLInputElement);
  const send = controlOf(form, 'send', HTMLButtonElement);
  const passkey = controlOf(form, 'passkey', HTMLButtonElement);
  const problem = form.querySelector<HTMLElement>('[role="alert"]');
  const ended = new AbortController();
  let busy = false;
  const show = (message: string) => {
    if (problem === null) return;
    problem.textContent = message;
    problem.hidden = message === '';
  };
  const attempt = async (button: HTMLButtonElement, ask: () => Promise<string | HandedSignIn>) => {
    if (busy) return;
    busy = true;
    const text = button.textContent;
    button.setAttribute('aria-disabled', 'true');
    if (button === send) button.textContent = sessionTexts.signingIn;
    const answer = await ask();
    if (ended.signal.aborted) return;
    // The form stays busy until the office takes its place: another press must not sign in again.
    if (typeof answer !== 'string') return onDone(answer);
    busy = false;
    button.textContent = text;
    button.removeAttribute('aria-disabled');
    show(answer);
  };
  const withPassword = () =>
    void attempt(send, async () => {
      const answer = await signIn(username.value, password.value);
      return answer.ok ? answer.value : answer.rejection;
    });
  const { signal } = ended;
  form.addEventListener(
    'submit',
    (event) => {
      // In a dialog, sending would close it.
      event.preventDefault();
      withPassword();
    },
    { signal },
  );
  passkey.addEventListener(
    'click',
    () =>
      void attempt(passkey, async () => {
        const answer = await signInWithPasskey();
        return answer.ok ? {} : answer.rejection;
      }),
    { signal },
  );
  passkey.hidden = !canUsePasskeys();
  // Sent before this script was here (`start-page.js`).
  if ('sent' in form.dataset) withPassword();
  return () => ended.abort();
}

function controlOf<Control extends Element>(form: HTMLFormElement, name: string, kind: new () => Control): Control {
  const control = form.elements.namedItem(name);
  if (control instanceof kind) return control;
  throw new Error(`The sign-in has no ${name}`);
}
