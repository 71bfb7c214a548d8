import { BeforeOffice } from '../shared/session/before-office.tsx';
import { currentProof } from '../shared/session/session-store.ts';
import { PasswordForm } from './password-form.tsx';
import { temporaryTexts } from './texts.ts';

export function TemporaryPassword() {
  return (
    <BeforeOffice {...temporaryTexts}>
      <PasswordForm asksCurrent={currentProof() === undefined} />
    </BeforeOffice>
  );
}
