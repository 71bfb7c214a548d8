import { useQuery } from '@tanstack/react-query';
import { Card } from '../ui/card.tsx';
import { Loaded } from '../ui/loaded.tsx';
import styles from './accounting.module.css';
import { tokensQuery, useRevoke } from './accounting-calls.ts';
import { NewTokenForm } from './new-token.tsx';
import { tokenTexts } from './texts.ts';
import { TokenRow } from './token-row.tsx';

/** Tokens with which scripts fetch exports. */
export function TokenCard() {
  const query = useQuery(tokensQuery);
  const revoke = useRevoke();
  return (
    <Card title={tokenTexts.heading} note={tokenTexts.note}>
      <NewTokenForm onCreated={() => void query.refetch()} />
      <Loaded query={query} loading={tokenTexts.loading} failed={tokenTexts.loadFailed}>
        {(tokens) =>
          tokens.length === 0 ? (
            <p>{tokenTexts.none}</p>
          ) : (
            <ul className={styles.list} aria-label={tokenTexts.list}>
              {tokens.map((token) => (
                <TokenRow key={token.id} token={token} onRevoke={() => void revoke(token.id)} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}
