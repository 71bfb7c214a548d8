import { useQuery } from '@tanstack/react-query';
import { tokensQuery, useRevoke } from '../accounting/accounting-calls.ts';
import { TokenRow } from '../accounting/token-row.tsx';
import { useMay, useSession } from '../session/current-session.tsx';
import { Card } from '../ui/card.tsx';
import styles from './password.module.css';
import { ownTokensTexts } from './texts.ts';

/** The person's export tokens that still work. A change of the password does not end them. */
export function OwnTokens() {
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
      <ul className={styles.sessions} aria-label={ownTokensTexts.heading}>
        {tokens.map((token) => (
          <TokenRow key={token.id} token={token} onRevoke={() => void revoke(token.id)} />
        ))}
      </ul>
    </Card>
  );
}
