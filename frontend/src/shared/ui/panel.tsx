import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './panel.module.css';

type PanelProps = {
  readonly id?: string;
  readonly title: ReactNode;
  readonly name?: string;
  readonly subtitle?: ReactNode;
  /** At the end of the title's line. */
  readonly action?: ReactNode;
  readonly className?: string | undefined;
  readonly headingId: string;
  readonly level?: 2 | 3;
  readonly children: ReactNode;
};

/** An accessible region, named by its title. */
export function Panel({ id, title, name, subtitle, action, className, headingId, level = 2, children }: PanelProps) {
  const Heading = level === 2 ? 'h2' : 'h3';
  const naming = name === undefined ? { 'aria-labelledby': headingId } : { 'aria-label': name };
  return (
    <section id={id} className={classNames(styles.panel, className)} {...naming}>
      <header className={styles.header}>
        <div>
          <Heading id={headingId} tabIndex={-1} className={styles.title}>
            {title}
          </Heading>
          {subtitle !== undefined && <p className={styles.subtitle}>{subtitle}</p>}
        </div>
        {action}
      </header>
      {children}
    </section>
  );
}
