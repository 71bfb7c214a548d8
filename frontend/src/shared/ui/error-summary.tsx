import { type Ref, useId } from 'react';
import { sharedTexts } from '../texts.ts';
import styles from './error-summary.module.css';

export type FieldProblem = { readonly fieldId: string; readonly message: string };

type ErrorSummaryProps = { readonly problems: readonly FieldProblem[]; readonly ref?: Ref<HTMLElement> };

/**
 * Each problem links to its field. `focusSummary` after a refused Continue makes a screen reader read the list once.
 */
export function ErrorSummary({ problems, ref }: ErrorSummaryProps) {
  const titleId = useId();
  if (problems.length === 0) return null;
  return (
    <section className={styles.summary} ref={ref} tabIndex={-1} aria-labelledby={titleId}>
      <h2 id={titleId} className={styles.title}>
        {sharedTexts.errorSummaryTitle}
      </h2>
      <ul className={styles.list}>
        {problems.map(({ fieldId, message }) => (
          <li key={fieldId}>
            <a
              href={`#${fieldId}`}
              onClick={(event) => {
                event.preventDefault();
                focusField(fieldId);
              }}
            >
              {message}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** On iOS, focusing several elements scrolls to the last one. */
export function focusSummary(summary: HTMLElement | null): void {
  summary?.focus({ preventScroll: true });
  summary?.scrollIntoView({ block: 'center' });
}

/** Centers the field, so that its label is visible too. */
function focusField(fieldId: string): void {
  const field = document.getElementById(fieldId);
  field?.focus({ preventScroll: true });
  field?.scrollIntoView({ block: 'center' });
}
