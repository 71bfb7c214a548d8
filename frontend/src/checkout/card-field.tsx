import type { Result } from '@kilim/domain/result';
import { useEffect, useRef } from 'react';
import { type CardForm, type CardProblem, type CardSetup, mountCard } from './square-card.ts';

export type CardFieldProps = {
  /** Kept the same between renders: another setup is another form. */
  readonly setup: CardSetup;
  readonly onSettled: (form: Result<CardForm, CardProblem>) => void;
};

/** The place of Square's card form. Mount it anew (by `key`) to try again. */
export function CardField({ setup, onSettled }: CardFieldProps) {
  const parent = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (parent.current === null) return;
    const mount = mountCard(parent.current, setup);
    void mount.form.then(onSettled);
    return mount.remove;
  }, [setup, onSettled]);
  return <div ref={parent} />;
}
