import { useQuery } from '@tanstack/react-query';
import { usePageTitle } from '../../shared/use-page-title.ts';
import { tokensQuery, useRevoke } from '../shared/accounting/export-calls.ts';
import { TokenRow } from '../shared/accounting/token-row.tsx';
import { useMay, useSession } from '../shared/session/current-session.tsx';
import cards from '../shared/ui/card.module.css';
import { Card } from '../shared/ui/card.tsx';
import { FactorsCard } from './factors-card.tsx';
import { OwnEmail } from './own-email.tsx';
import { OwnName } from './own-name.tsx';
import { PasswordForm } from './password-form.tsx';
import { SessionsList } from './sessions-list.tsx';
import { ownTokensTexts, passwordPageTexts } from './texts.ts';

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

/** Those that still work. A change of the password does not end them. */
function OwnTokens() {
  return useMay('manageTokens') ? <TokensInForce /> : null;
}

function TokensInForce() {
  const { username } = useSession();
  const { data = [] } = useQuery(tokensQuery);
  const revoke = useRevoke();
  const tokens = data.filter(({ createdBy, ended }) => createdBy === username && ended === null);
  if (tokens.length === 0) return null;
  return (
    <Card title={ownTokensTexts.heading} note={ownTokensTexts.note}>
      <ul className={cards.list} aria-label={ownTokensTexts.heading}>
        {tokens.map((token) => (
          <TokenRow key={token.id} token={token} onRevoke={() => void revoke(token.id)} />
        ))}
      </ul>
    </Card>
  );
}
