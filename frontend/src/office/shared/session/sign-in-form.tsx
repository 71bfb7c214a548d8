import type { RefObject } from 'react';
import alert from '../../../shared/ui/alert.module.css';
import { Button } from '../../../shared/ui/button.tsx';
import fields from '../../../shared/ui/text-field.module.css';
import { stepTexts } from '../second-factor/texts.ts';
import cards from '../ui/card.module.css';
import { sessionTexts } from './texts.ts';

/**
 * The server draws it, and `bindSignIn` gives it its behaviour. No field is required or checked here (specification,
 * sections 2.5 and 5). Before that, `method="dialog"` keeps the browser from sending it.
 */
export function SignInForm({ form }: { readonly form?: RefObject<HTMLFormElement | null> }) {
  return (
    <form ref={form} id="sign-in" method="dialog" className={cards.stack} noValidate>
      <p role="alert" className={alert.alert} data-tone="danger" hidden />
      <label className={fields.field}>
        <span className={fields.label}>{sessionTexts.username}</span>
        <input
          className={fields.input}
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
        />
      </label>
      <label className={fields.field}>
        <span className={fields.label}>{sessionTexts.password}</span>
        <input className={fields.input} name="password" type="password" autoComplete="current-password" />
      </label>
      <Button type="submit" name="send" wide>
        {sessionTexts.signIn}
      </Button>
      <Button name="passkey" variant="secondary" wide hidden>
        {stepTexts.signInWithPasskey}
      </Button>
    </form>
  );
}
