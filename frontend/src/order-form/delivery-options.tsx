import { deliveryPrice } from '@kilim/domain/catalog';
import { type DeliveryOption, deliveryOptions } from '@kilim/domain/quote';
import { usePageData } from '../shared/page-data.ts';
import { Panel } from '../shared/ui/panel.tsx';
import styles from './delivery-options.module.css';
import { useOrderForm, useOrderFormActor } from './order-form-actor.ts';
import { deliveryOptionOf } from './selectors.ts';
import { orderFormTexts } from './texts.ts';

export function DeliveryOptions() {
  const actor = useOrderFormActor();
  const chosen = useOrderForm(deliveryOptionOf);
  return (
    <Panel headingId="delivery-title" title={orderFormTexts.delivery} level={3}>
      <div className={styles.options} role="radiogroup" aria-labelledby="delivery-title">
        {deliveryOptions.map((option) => (
          <div key={option} className={styles.option}>
            <input
              type="radio"
              id={`delivery-${option}`}
              name="delivery"
              className={styles.radio}
              checked={chosen === option}
              aria-describedby={`delivery-${option}-details`}
              onChange={() => actor.send({ type: 'delivery.chosen', option })}
            />
            <div>
              <label htmlFor={`delivery-${option}`} className={styles.name}>
                {orderFormTexts.deliveryNames[option]}
              </label>
              <div id={`delivery-${option}-details`} className={styles.details}>
                <Details option={option} />
              </div>
            </div>
          </div>
        ))}
      </div>
    </Panel>
  );
}

function Details({ option }: { readonly option: DeliveryOption }) {
  const { business } = usePageData().config;
  if (option === 'pickup') {
    return (
      <>
        <p>{orderFormTexts.pickupHint}</p>
        <p>{orderFormTexts.pickupPrice(deliveryPrice)}</p>
      </>
    );
  }
  return (
    <>
      <p>{orderFormTexts.dropoffHint}</p>
      <ul>
        {business.dropOffSites.map(({ name, note }) => (
          <li key={name}>
            <strong>{name}</strong>, {note}
          </li>
        ))}
      </ul>
    </>
  );
}
