import { usePageTitle } from '../../shared/use-page-title.ts';
import { OwnEmail } from '../people/own-email.tsx';
import { OwnName } from '../people/own-name.tsx';
import { FactorsCard } from '../second-factor/factors-card.tsx';
import cards from '../ui/card.module.css';
import { Card } from '../ui/card.tsx';
import { OwnTokens } from './own-tokens.tsx';
import { PasswordForm } from './password-form.tsx';
import { SessionsList } from './sessions-list.tsx';
import { passwordPageTexts } from './texts.ts';

export function PasswordPage() {
  usePageTitle(passwordPageTexts.title);
  return (
    <div className={cards.stack}>
      <OwnName />
      <OwnEmail />
      <Card title={passwordPageTexts.heading} note={passwordPageTexts.note}>
        <PasswordForm />
      </Card>
      <OwnTokens />
      <FactorsCard />
      <SessionsList />
    </div>
  );
}
