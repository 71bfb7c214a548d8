import { Button } from 'antd';
import { WovenStrip } from '../../shared/ui/woven-strip.tsx';
import { usePageTitle } from '../../shared/use-page-title.ts';
import login from '../shared/session/login.module.css';
import { logOut } from '../shared/session/session-calls.ts';
import { currentProof } from '../shared/session/session-store.ts';
import { PasswordForm } from './password-form.tsx';
import { temporaryTexts } from './texts.ts';

export function TemporaryPassword() {
  usePageTitle(temporaryTexts.heading);
  return (
    <>
      <WovenStrip />
      <main className={login.screen}>
        <div className={login.card}>
          <div>
            <h1>{temporaryTexts.heading}</h1>
            <p>{temporaryTexts.why}</p>
          </div>
          <PasswordForm asksCurrent={currentProof() === undefined} />
          <div>
            <Button onClick={() => void logOut()}>{temporaryTexts.leave}</Button>
          </div>
        </div>
      </main>
    </>
  );
}
