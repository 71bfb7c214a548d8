import type { CurrentOrder } from '@kilim/bff/contract/quote';
import { Money } from '../shared/ui/money.tsx';
import { type PriceChange, priceChanges } from './price-changes.ts';
import styles from './price-changes-table.module.css';
import { checkoutTexts } from './texts.ts';

type PriceChangesTableProps = { readonly before: CurrentOrder; readonly after: CurrentOrder };

export function PriceChangesTable({ before, after }: PriceChangesTableProps) {
  return (
    <table className={styles.changes}>
      <thead>
        <tr>
          <th scope="col">{checkoutTexts.changedLine}</th>
          <th scope="col">{checkoutTexts.amountBefore}</th>
          <th scope="col">{checkoutTexts.amountNow}</th>
        </tr>
      </thead>
      <tbody>
        {priceChanges(before, after).map((change) => (
          <ChangedLine key={change.term} {...change} />
        ))}
      </tbody>
      <tfoot>
        <ChangedLine term={checkoutTexts.total} before={before.totalAmount} after={after.totalAmount} />
      </tfoot>
    </table>
  );
}

function ChangedLine({ term, before, after }: PriceChange) {
  return (
    <tr>
      <th scope="row">{term}</th>
      <td>{before === undefined ? checkoutTexts.noAmount : <Money amount={before} />}</td>
      <td>{after === undefined ? checkoutTexts.noAmount : <Money amount={after} />}</td>
    </tr>
  );
}
