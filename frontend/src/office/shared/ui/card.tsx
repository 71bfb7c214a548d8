import { type ReactNode, useEffect, useId, useRef } from 'react';
import { classNames } from '../../../shared/ui/class-names.ts';
import styles from './card.module.css';
import { isFocusFree } from './keep-focus.ts';

type CardProps = {
  readonly title: string;
  readonly note?: ReactNode;
  /** Focuses the title of a page that a link opened, so that it is read out. */
  readonly takesFocus?: boolean;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

export function Card({ title, note, takesFocus = false, actions, children }: CardProps) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus && isFocusFree()) heading.current?.focus();
  }, [takesFocus]);
  return (
    <section className={styles.card} aria-labelledby={id}>
      <div className={styles.head}>
        <div>
          <h2 id={id} ref={heading} tabIndex={takesFocus ? -1 : undefined}>
            {title}
          </h2>
          {note !== undefined && <p className={styles.note}>{note}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  );
}

export type Fact = readonly [term: string, value: ReactNode, wide?: 'wide'];

type FactsProps = {
  /** False: left out. */
  readonly facts: readonly (Fact | false)[];
  readonly className?: string | undefined;
};

/** In as many columns as fit; a wide one takes a line. */
export function Facts({ facts, className }: FactsProps) {
  return (
    <dl className={classNames(styles.facts, className)}>
      {facts
        .filter((fact) => fact !== false)
        .map(([term, value, wide]) => (
          <div key={term} data-wide={wide}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
