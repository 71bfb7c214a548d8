import type { Intake } from '@kilim/bff/contract/intake';
import type { OrderDetail } from '@kilim/bff/contract/orders';
import { type Cents, formatDollars } from '@kilim/domain/money';
import type { MeasuredSize } from '@kilim/domain/order/events';
import { rugChargeNames } from '@kilim/domain/quote';
import { formatSize } from '@kilim/domain/rug';
import { type Column, DataTable } from '../../shared/ui/data-table.tsx';
import { sizeText } from '../rugs-table.tsx';
import styles from './intake.module.css';
import { intakeTexts as texts } from './texts.ts';

type Measurement = NonNullable<Intake['measurement']>;
type Row = {
  readonly name: string;
  readonly ordered: string;
  readonly measured: string;
  readonly changes: readonly (readonly [name: string, amount: Cents])[];
};

const columns: readonly Column<Row>[] = [
  { title: texts.rug, render: ({ name }) => name },
  { title: texts.ordered, render: ({ ordered }) => ordered },
  { title: texts.measured, render: ({ measured }) => measured },
  { title: texts.change, align: 'right', render: (row) => <Changes changes={row.changes} /> },
];

export function DifferenceTable({
  detail,
  measured,
}: {
  readonly detail: OrderDetail;
  readonly measured: Measurement;
}) {
  const rugs = detail.items.map((item, index): Row => {
    const rug = measured.rugs[index];
    return {
      name: texts.rugNumber(index + 1),
      ordered: sizeText(item),
      measured: rug === undefined ? '' : formatSize(rug.size as MeasuredSize),
      changes: rugChargeNames.flatMap((charge) => {
        const amount = rug?.changes[charge] ?? (0 as Cents);
        return amount === 0 ? [] : [[texts.charges[charge], amount] as const];
      }),
    };
  });
  const { deliveryMinimumChange: minimum } = measured;
  const delivery = { name: texts.deliveryMinimum, ordered: '', measured: '', changes: [['', minimum] as const] };
  const rows = minimum === 0 ? rugs : [...rugs, delivery];
  return <DataTable label={texts.table} columns={columns} rows={rows} rowKey={({ name }) => name} />;
}

function Changes({ changes }: Pick<Row, 'changes'>) {
  if (changes.length === 0) return texts.noChange;
  return (
    <div className={styles.changes}>
      {changes.map(([name, amount]) => (
        <span key={name}>
          {name} {amount > 0 && '+'}
          {formatDollars(amount)}
        </span>
      ))}
    </div>
  );
}
