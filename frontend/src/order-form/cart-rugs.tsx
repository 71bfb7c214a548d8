import { tierOffers } from '@kilim/domain/catalog';
import { noCents, sumCents } from '@kilim/domain/money';
import { formatSide, type Rug } from '@kilim/domain/rug';
import { Button } from '../shared/ui/button.tsx';
import { Money } from '../shared/ui/money.tsx';
import { Panel } from '../shared/ui/panel.tsx';
import styles from './cart-rugs.module.css';
import { cartRugsId } from './form-problems.ts';
import { useOrderForm, useOrderFormActor } from './order-form-actor.ts';
import { rugsOf, sameItems } from './selectors.ts';
import { orderFormTexts } from './texts.ts';
import { useQuote } from './use-quote.ts';

export function CartRugs() {
  const actor = useOrderFormActor();
  const rugs = useOrderForm(rugsOf, sameItems);
  const quote = useQuote();
  return (
    <Panel headingId={cartRugsId} title={orderFormTexts.cartRugs(rugs.length)} level={3}>
      <ol className={styles.rugs}>
        {rugs.map(({ id, rug }, index) => (
          <li key={id} className={styles.rug}>
            <p className={styles.name}>
              <strong>{orderFormTexts.rug(index)}</strong> {describe(rug)}
            </p>
            <p className={styles.price}>
              <Money amount={priceOf(quote, index)} />
            </p>
            <div className={styles.actions}>
              <Button
                variant="quiet"
                aria-label={orderFormTexts.editRug(index)}
                onClick={() => actor.send({ type: 'rug.visited', index })}
              >
                {orderFormTexts.edit}
              </Button>
              <Button
                variant="quiet"
                aria-label={orderFormTexts.removeRug(index)}
                onClick={() => actor.send({ type: 'rug.removed', index })}
              >
                {orderFormTexts.remove}
              </Button>
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

function describe(rug: Rug): string {
  const { addOnNames } = orderFormTexts;
  const chosen = (['greenPad', 'repairInspection'] as const).filter((addOn) => rug[addOn]);
  const isProtected = rug.stainProtection && rug.tier !== 'premium';
  return [
    orderFormTexts.rugSize(formatSide(rug.width), formatSide(rug.length)),
    tierOffers[rug.tier].name,
    ...(isProtected ? [addOnNames.stainProtection] : []),
    ...chosen.map((addOn) => addOnNames[addOn]),
  ].join(', ');
}

/** With its add-ons. Delivery and tax are lines of the summary. */
function priceOf(quote: ReturnType<typeof useQuote>, index: number) {
  const charges = quote?.rugs[index]?.charges;
  return charges === undefined ? noCents : sumCents([charges.base, charges.stainProtection, charges.greenPad]);
}
