import type { Result } from '@kilim/domain/result';
import { useEffect, useRef } from 'react';
import { type CardForm, type CardProblem, type CardSetup, mountCard } from './square-card.ts';

export type CardFieldProps = {
  /** Must be the same object between renders: another setup creates another form. */
  readonly setup: CardSetup;
  readonly onSettled: (form: Result<CardForm, CardProblem>) => void;
};

/** The container of Square's card form. To try again, mount it again with another `key`. */
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
