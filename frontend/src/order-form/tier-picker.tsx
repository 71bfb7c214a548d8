import { type Tier, tierOffers, tiers } from '@kilim/domain/catalog';
import { baseCharge, type DeliveryOption, tierCardRate } from '@kilim/domain/quote';
import { areaOf, type Rug } from '@kilim/domain/rug';
import { memo } from 'react';
import { CheckIcon } from '../shared/ui/icons.tsx';
import { Money } from '../shared/ui/money.tsx';
import { useOffer, useOrderForm } from './order-form-actor.ts';
import { deliveryOptionOf } from './selectors.ts';
import { orderFormTexts } from './texts.ts';
import styles from './tier-picker.module.css';

type TierPickerProps = {
  /** The radios' common name, one per rug. */
  readonly name: string;
  readonly rug: Rug;
  readonly onChoose: (tier: Tier) => void;
};

/** The three tiers, each with what it costs for this very rug. */
export const TierPicker = memo(function TierPicker({ name, rug, onChoose }: TierPickerProps) {
  const deliveryOption = useOrderForm(deliveryOptionOf);
  const legendId = `${name}-legend`;
  return (
    <div className={styles.picker} role="radiogroup" aria-labelledby={legendId}>
      <p className={styles.legend} id={legendId}>
        {orderFormTexts.tier}
      </p>
      <div className={styles.tiers}>
        {tiers.map((tier) => (
          <TierCard
            key={tier}
            tier={tier}
            name={name}
            rug={rug}
            deliveryOption={deliveryOption}
            onChoose={() => onChoose(tier)}
          />
        ))}
      </div>
    </div>
  );
});

type TierCardProps = {
  readonly tier: Tier;
  readonly name: string;
  readonly rug: Rug;
  readonly deliveryOption: DeliveryOption;
  readonly onChoose: () => void;
};

function TierCard({ tier, name, rug, deliveryOption, onChoose }: TierCardProps) {
  const { features } = useOffer();
  const offer = tierOffers[tier];
  const id = `${name}-${tier}`;
  return (
    <div className={styles.tier} data-tier={tier}>
      <div className={styles.head}>
        <input
          type="radio"
          id={id}
          name={name}
          className={styles.radio}
          checked={rug.tier === tier}
          aria-describedby={`${id}-details`}
          onChange={onChoose}
        />
        <label htmlFor={id} className={styles.name}>
          {offer.name}
        </label>
      </div>
      <div id={`${id}-details`} className={styles.details}>
        <TierPrice tier={tier} rug={rug} deliveryOption={deliveryOption} />
        <p className={styles.description}>{offer.description}</p>
        <ul className={styles.features}>
          {features[tier].map((feature) => (
            <li key={feature}>
              <CheckIcon />
              {feature}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

function TierPrice({ tier, rug, deliveryOption }: Pick<TierCardProps, 'tier' | 'rug' | 'deliveryOption'>) {
  const { prices } = useOffer();
  const rate = tierCardRate(prices[tier], deliveryOption);
  const area = areaOf(rug);
  const charge = baseCharge(area, tier, rate);
  const { minimumCharge } = tierOffers[tier];
  return (
    <div className={styles.price}>
      <p className={styles.rate}>
        {orderFormTexts.perSquareFoot(rate)}
        {deliveryOption === 'pickup' && <span> {orderFormTexts.pickupIncluded}</span>}
      </p>
      <p className={styles.charge}>
        {area === 0 ? (
          orderFormTexts.minimumCharge(minimumCharge)
        ) : (
          <>
            <strong>
              <Money amount={charge} />
            </strong>{' '}
            {charge === minimumCharge ? orderFormTexts.minimumApplies : orderFormTexts.forThisRug}
          </>
        )}
      </p>
    </div>
  );
}
