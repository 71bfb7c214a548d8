import type { CurrentOrder } from '@kilim/bff/contract/quote';
import { Money } from '../shared/ui/money.tsx';
import { deferredTexts } from './deferred-texts.ts';
import { type PriceChange, priceChanges } from './price-changes.ts';
import styles from './price-changes-table.module.css';

type PriceChangesTableProps = { readonly before: CurrentOrder; readonly after: CurrentOrder };

export function PriceChangesTable({ before, after }: PriceChangesTableProps) {
  return (
    <table className={styles.changes}>
      <thead>
        <tr>
          <th scope="col">{deferredTexts.changedLine}</th>
          <th scope="col">{deferredTexts.amountBefore}</th>
          <th scope="col">{deferredTexts.amountNow}</th>
        </tr>
      </thead>
      <tbody>
        {priceChanges(before, after).map((change) => (
          <ChangedLine key={change.term} {...change} />
        ))}
      </tbody>
      <tfoot>
        <ChangedLine term={deferredTexts.total} before={before.totalAmount} after={after.totalAmount} />
      </tfoot>
    </table>
  );
}

function ChangedLine({ term, before, after }: PriceChange) {
  return (
    <tr>
      <th scope="row">{term}</th>
      <td>{before === undefined ? deferredTexts.noAmount : <Money amount={before} />}</td>
      <td>{after === undefined ? deferredTexts.noAmount : <Money amount={after} />}</td>
    </tr>
  );
}
