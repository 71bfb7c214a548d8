import { type DeliveryOption, deliveryOptions } from '@kilim/domain/catalog';
import { type Cents, cents, noCents } from '@kilim/domain/money';
import { usePageData } from '../shared/page-data.ts';
import { classNames } from '../shared/ui/class-names.ts';
import { Panel } from '../shared/ui/panel.tsx';
import { SiteLine } from '../shared/ui/site-name.tsx';
import { cartTexts } from './cart-texts.ts';
import styles from './delivery-options.module.css';
import { useOffer, useOrderForm, useOrderFormActor } from './order-form-actor.ts';
import { quoteOf } from './quote-of.ts';
import { deliveryOptionOf, rugsOf, sameItems } from './selectors.ts';
import picker from './tier-picker.module.css';

/** Each looks like a tier. */
export function DeliveryOptions() {
  const actor = useOrderFormActor();
  const chosen = useOrderForm(deliveryOptionOf);
  const pickupAdds = usePickupPrice();
  return (
    <Panel headingId="delivery-title" title={cartTexts.delivery}>
      <div className={styles.options} role="radiogroup" aria-labelledby="delivery-title">
        {deliveryOptions.map((option) => (
          <div
            key={option}
            className={classNames(picker.tier, styles.option)}
            data-chosen={chosen === option || undefined}
          >
            <input
              type="radio"
              id={`delivery-${option}`}
              name="delivery"
              className={picker.radio}
              checked={chosen === option}
              aria-describedby={`delivery-${option}-price delivery-${option}-details`}
              onChange={() => actor.send({ type: 'delivery.chosen', option })}
            />
            <div>
              <div className={styles.head}>
                <label htmlFor={`delivery-${option}`} className={styles.name}>
                  {cartTexts.deliveryNames[option]}
                </label>
                <p id={`delivery-${option}-price`} className={styles.price}>
                  {cartTexts.deliveryAdds(option === 'pickup' ? pickupAdds : noCents)}
                </p>
              </div>
              <div id={`delivery-${option}-details`} className={styles.details}>
                {chosen === option && <Details option={option} />}
              </div>
            </div>
          </div>
        ))}
      </div>
    </Panel>
  );
}

/** Its price, and the top-up to the minimum order. */
function usePickupPrice(): Cents {
  const rugs = useOrderForm(rugsOf, sameItems);
  const { rates } = useOffer();
  const totalFor = (deliveryOption: DeliveryOption) => quoteOf({ rugs, deliveryOption }, rates)?.total ?? noCents;
  return cents(totalFor('pickup') - totalFor('dropoff'));
}

function Details({ option }: { readonly option: DeliveryOption }) {
  const { business } = usePageData().config;
  const { pickup } = useOffer().rates;
  if (option === 'pickup') {
    return (
      <>
        <p>{cartTexts.pickupHint}</p>
        <p>{cartTexts.pickupPrice(pickup.price, pickup.minimumOrder)}</p>
      </>
    );
  }
  return (
    <>
      {business.dropOffSites.length === 0 && <p>{cartTexts.dropoffHint}</p>}
      <ul>
        {business.dropOffSites.map(({ name, note, link }) => (
          <li key={name}>
            <SiteLine name={name} link={link} about={[note]} />
          </li>
        ))}
      </ul>
    </>
  );
}
