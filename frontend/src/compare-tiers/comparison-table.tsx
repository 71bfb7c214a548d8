import { type Tier, tierOffers } from '@kilim/domain/catalog';
import { type ComparisonRow, comparisonRows, type TierComparison } from '@kilim/domain/tier-comparison';
import styles from './comparison-table.module.css';
import { compareTexts } from './texts.ts';

type ComparisonTableProps = {
  readonly shown: readonly Tier[];
  readonly narrow: boolean;
  readonly rows: TierComparison['rows'];
};

export function ComparisonTable({ shown, narrow, rows }: ComparisonTableProps) {
  const Row = narrow ? HeadedRow : SimpleRow;
  return (
    <table className={styles.table} data-narrow={narrow || undefined}>
      <caption className={styles.caption}>{compareTexts.caption}</caption>
      <thead>
        <tr>
          {!narrow && <td />}
          {shown.map((tier) => (
            <th key={tier} scope="col">
              <span className={styles.tier} data-hue={tier}>
                {tierOffers[tier].name}
              </span>
            </th>
          ))}
        </tr>
      </thead>
      {comparisonRows.map((name) => (
        <Row key={name} name={name} cells={shown.map((tier) => ({ tier, text: rows[name][tier] }))} />
      ))}
    </table>
  );
}

type RowProps = {
  readonly name: ComparisonRow;
  readonly cells: readonly { readonly tier: Tier; readonly text: string }[];
};

function SimpleRow({ name, cells }: RowProps) {
  return (
    <tbody>
      <tr>
        <th scope="row">{compareTexts.rows[name]}</th>
        <Cells cells={cells} />
      </tr>
    </tbody>
  );
}

/** Narrow screens have no room for a column of names. */
function HeadedRow({ name, cells }: RowProps) {
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={cells.length}>
          {compareTexts.rows[name]}
        </th>
      </tr>
      <tr>
        <Cells cells={cells} />
      </tr>
    </tbody>
  );
}

function Cells({ cells }: Pick<RowProps, 'cells'>) {
  return cells.map(({ tier, text }) => <td key={tier}>{text}</td>);
}
