import type { CurrentOrder } from '@kilim/bff/contract/quote';
import type { Cents } from '@kilim/domain/money';
import { orderLines, rugLines } from '../shared/priced-order/order-lines.ts';
import { Money } from '../shared/ui/money.tsx';
import { deferredTexts } from './deferred-texts.ts';
import styles from './price-changes-table.module.css';

type PriceChangesTableProps = {
  /** Undefined: only its total is known. */
  readonly before: CurrentOrder | undefined;
  readonly shownTotal: Cents | undefined;
  readonly after: CurrentOrder;
};

export function PriceChangesTable({ before, shownTotal, after }: PriceChangesTableProps) {
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
        {before !== undefined &&
          priceChanges(before, after).map((change) => <ChangedLine key={change.term} {...change} />)}
      </tbody>
      <tfoot>
        <ChangedLine term={deferredTexts.total} before={before?.totalAmount ?? shownTotal} after={after.totalAmount} />
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

/** `before` is undefined for a new line, `after` for a removed one. */
type PriceChange = {
  readonly term: string;
  readonly before: Cents | undefined;
  readonly after: Cents | undefined;
};

/** Without the total itself. */
export function priceChanges(before: CurrentOrder, after: CurrentOrder): readonly PriceChange[] {
  const old = amountsByTerm(before);
  const now = amountsByTerm(after);
  const terms = new Set([...old.keys(), ...now.keys()]);
  return [...terms]
    .map((term) => ({ term, before: old.get(term), after: now.get(term) }))
    .filter((line) => line.before !== line.after);
}

function amountsByTerm(order: CurrentOrder): ReadonlyMap<string, Cents> {
  const ofRugs = order.rugs.flatMap((rug, index) => {
    const { title, lines } = rugLines(rug, index);
    return lines.map(({ term, amount }) => [`${title}: ${term}`, amount] as const);
  });
  const ofOrder = orderLines(order.rugs, {
    isPickup: order.deliveryOption === 'pickup',
    deliveryCost: order.deliveryCost,
    salesTax: order.salesTax,
    salesTaxName: order.salesTaxName,
    total: order.totalAmount,
  });
  return new Map([...ofRugs, ...ofOrder.map(({ term, amount }) => [term, amount] as const)]);
}
