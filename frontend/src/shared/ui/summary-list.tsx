import type { Cents } from '@kilim/domain/money';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Money } from './money.tsx';
import styles from './summary-list.module.css';

export type SummaryLine = {
  readonly term: string;
  readonly note?: ReactNode;
  readonly amount: Cents;
};

type SummaryListProps = { readonly lines: readonly SummaryLine[]; readonly total?: SummaryLine | undefined };

export function SummaryList({ lines, total }: SummaryListProps) {
  return (
    <dl className={styles.list}>
      {lines.map((line) => (
        <Line key={line.term} line={line} />
      ))}
      {total !== undefined && <Line line={total} isTotal />}
    </dl>
  );
}

function Line({ line, isTotal = false }: { readonly line: SummaryLine; readonly isTotal?: boolean }) {
  return (
    <div className={classNames(styles.line, isTotal && styles.total)}>
      <dt>{line.term}</dt>
      <dd className={styles.amount}>
        <Money amount={line.amount} />
      </dd>
      {line.note !== undefined && <dd className={styles.note}>{line.note}</dd>}
    </div>
  );
}
