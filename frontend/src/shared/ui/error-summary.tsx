import { type Ref, useId } from 'react';
import { sharedTexts } from '../texts.ts';
import styles from './error-summary.module.css';

export type FieldProblem = { readonly fieldId: string; readonly message: string };

type ErrorSummaryProps = { readonly problems: readonly FieldProblem[]; readonly ref?: Ref<HTMLElement> };

/**
 * Each problem links to its field. `focusSummary` after a refused Continue makes a screen reader read the list once. A
 * single problem is told at its field only, which gets the focus.
 */
export function ErrorSummary({ problems, ref }: ErrorSummaryProps) {
  const titleId = useId();
  if (problems.length < 2) return null;
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
export function focusSummary(summary: HTMLElement | null, problems: readonly FieldProblem[]): void {
  const [first] = problems;
  if (summary === null && first !== undefined) focusField(first.fieldId);
  else focusCentered(summary);
}

function focusField(fieldId: string): void {
  focusCentered(document.getElementById(fieldId));
}

/** So that a field's label is visible too. */
function focusCentered(target: HTMLElement | null): void {
  target?.focus({ preventScroll: true });
  target?.scrollIntoView({ block: 'center' });
}
