import { noCents, sumCents } from '@kilim/domain/money';
import { useState } from 'react';
import { Button } from '../shared/ui/button.tsx';
import { Money } from '../shared/ui/money.tsx';
import { Panel } from '../shared/ui/panel.tsx';
import styles from './cart-rugs.module.css';
import { cartTexts } from './cart-texts.ts';
import { cartRugsId } from './form-problems.ts';
import { useOrderForm } from './order-form-actor.ts';
import { RugButton } from './rug-button.tsx';
import { describeRug } from './rug-words.ts';
import { rugsOf, sameItems } from './selectors.ts';
import { orderFormTexts } from './texts.ts';
import { useQuote } from './use-quote.ts';

const mostShown = 5;

export function CartRugs() {
  const rugs = useOrderForm(rugsOf, sameItems);
  const quote = useQuote();
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? rugs : rugs.slice(0, mostShown);
  return (
    <Panel headingId={cartRugsId} title={cartTexts.cartRugs(rugs.length)} className={styles.panel}>
      <ol className={styles.rugs}>
        {shown.map(({ id, rug }, index) => (
          <li key={id} className={styles.rug}>
            <strong>{orderFormTexts.rug(index)}</strong>
            <p className={styles.words}>{describeRug(rug)}</p>
            <p className={styles.price}>
              <Money amount={priceOf(quote, index)} />
            </p>
            <div className={styles.actions}>
              <RugButton index={index} sends="rug.visited" />
              <RugButton index={index} sends="rug.removed" />
            </div>
          </li>
        ))}
      </ol>
      {shown.length < rugs.length && (
        <Button variant="quiet" onClick={() => setShowsAll(true)}>
          {cartTexts.showAllRugs(rugs.length)}
        </Button>
      )}
    </Panel>
  );
}

/** With its add-ons. Delivery and tax are lines of the summary. */
function priceOf(quote: ReturnType<typeof useQuote>, index: number) {
  const charges = quote?.rugs[index]?.charges;
  return charges === undefined ? noCents : sumCents([charges.base, charges.stainProtection, charges.greenPad]);
}
