import type { ReactNode } from 'react';
import { officeTexts } from '../texts.ts';
import cards from './card.module.css';

type TechnicalProps = { readonly summary?: string; readonly isOpen?: boolean; readonly children: ReactNode };

/** What a person seldom needs, and need not understand. */
export function Technical({ summary = officeTexts.technical, isOpen = false, children }: TechnicalProps) {
  return (
    <details open={isOpen}>
      <summary className={cards.summary}>{summary}</summary>
      {children}
    </details>
  );
}
