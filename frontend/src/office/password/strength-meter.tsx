import type { PasswordStrength } from '@kilim/bff/contract/session';
import { useEffect, useState } from 'react';
import cards from '../shared/ui/card.module.css';
import styles from './password.module.css';
import { askStrength } from './password-calls.ts';
import { passwordPageTexts } from './texts.ts';

const askDelayMilliseconds = 350;
const highestScore = 4;

export function StrengthMeter({ password }: { readonly password: string }) {
  const strength = useStrength(password);
  return (
    <div role="status" className={styles.strength}>
      {strength !== undefined && (
        <>
          <p className={styles.verdict}>
            <meter
              aria-label={passwordPageTexts.strength}
              className={styles.meter}
              min={0}
              max={highestScore}
              low={2.5}
              high={3.5}
              optimum={highestScore}
              value={strength.score}
            />
            <strong>{strength.message ?? passwordPageTexts.strong(strength.score === highestScore)}</strong>
          </p>
          {strength.suggestions.length > 0 && <p className={cards.soft}>{strength.suggestions.join(' ')}</p>}
        </>
      )}
    </div>
  );
}

/** Waits after the last key. An earlier rating is never shown for a later text. */
function useStrength(password: string): PasswordStrength | undefined {
  const [judged, setJudged] = useState<{
    readonly password: string;
    readonly strength: PasswordStrength | undefined;
  }>();
  useEffect(() => {
    if (password === '') return;
    const question = new AbortController();
    const ask = async () => {
      const strength = await askStrength(password, question.signal);
      if (!question.signal.aborted) setJudged({ password, strength });
    };
    const timer = setTimeout(() => void ask(), askDelayMilliseconds);
    return () => {
      clearTimeout(timer);
      question.abort();
    };
  }, [password]);
  return judged?.password === password ? judged.strength : undefined;
}
