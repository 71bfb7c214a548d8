import type { QuotedRug } from '@kilim/bff/contract/quote';
import { tierOffers } from '@kilim/domain/catalog';
import { SummaryList } from '../ui/summary-list.tsx';
import { type OrderAmounts, orderLines, rugLines } from './order-lines.ts';
import styles from './priced-order.module.css';
import { pricedOrderTexts } from './texts.ts';

type PricedOrderProps = {
  readonly rugs: readonly QuotedRug[];
  readonly amounts: OrderAmounts;
};

/** Each rug with its costs, the lines of the whole order, the total. */
export function PricedOrder({ rugs, amounts }: PricedOrderProps) {
  const lines = orderLines(rugs, amounts);
  return (
    <>
      <ol className={styles.rugs} data-followed={lines.length > 0 || undefined}>
        {rugs.map(
          (rug, index) =>
            // A rug that a difference is not about costs nothing.
            rug.totalCost > 0 && (
              // biome-ignore lint/suspicious/noArrayIndexKey: a rug's only id is its number, and this list never changes.
              <RugItem key={index} rug={rug} index={index} />
            ),
        )}
      </ol>
      <SummaryList lines={lines} total={{ term: pricedOrderTexts.total, amount: amounts.total }} />
    </>
  );
}

function RugItem({ rug, index }: { readonly rug: QuotedRug; readonly index: number }) {
  const { title, size, area, lines } = rugLines(rug, index);
  return (
    <li className={styles.rug}>
      <div className={styles.title}>
        <h3>{title}</h3>
        <span className={styles.tier} data-hue={rug.serviceTier}>
          {tierOffers[rug.serviceTier].name}
        </span>
      </div>
      <p className={styles.size}>
        <span>{size}</span> <span aria-hidden="true">·</span> <span>{area}</span>
      </p>
      <SummaryList lines={lines} />
    </li>
  );
}
