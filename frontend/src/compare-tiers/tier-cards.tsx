import { type Tier, tierOffers, tiers } from '@kilim/domain/catalog';
import { baseCharge, tierCardRate } from '@kilim/domain/quote';
import { areaOf } from '@kilim/domain/rug';
import { offerOf } from '../shared/offer.ts';
import { usePageData } from '../shared/page-data.ts';
import { FeatureList } from '../shared/ui/feature-list.tsx';
import { Money } from '../shared/ui/money.tsx';
import type { ComparedRug } from './compared-rug.ts';
import { compareTexts } from './texts.ts';
import styles from './tier-cards.module.css';

/** Specification, section 9. */
const maxFeatures = 3;

type Place = 'first' | 'second';

type TierCardsProps = ComparedRug & {
  readonly shown: readonly Tier[];
  /** On narrow screens, where the customer picks two tiers. */
  readonly onPick: ((place: Place, tier: Tier) => void) | undefined;
};

export function TierCards({ shown, onPick, ...compared }: TierCardsProps) {
  const { features } = offerOf(usePageData().settings);
  return (
    <ul className={styles.cards} data-shown={shown.length}>
      {shown.map((tier, index) => {
        const place = index === 0 ? 'first' : 'second';
        return (
          // The place as key keeps the card mounted when its tier changes, so the select keeps the focus.
          <li
            key={onPick === undefined ? tier : place}
            className={styles.card}
            data-hue={tier}
            data-current={tier === compared.rug.tier || undefined}
          >
            {onPick === undefined ? (
              <h3 className={styles.name}>{tierOffers[tier].name}</h3>
            ) : (
              <TierSelect place={place} tier={tier} onPick={(picked) => onPick(place, picked)} />
            )}
            <TierPrice {...compared} tier={tier} />
            <FeatureList features={features[tier].slice(0, maxFeatures)} />
            {tier === compared.rug.tier && <p className={styles.current}>{compareTexts.current}</p>}
          </li>
        );
      })}
    </ul>
  );
}

type TierSelectProps = {
  readonly place: Place;
  readonly tier: Tier;
  readonly onPick: (tier: Tier) => void;
};

function TierSelect({ place, tier, onPick }: TierSelectProps) {
  return (
    <select
      className={styles.select}
      aria-label={compareTexts.place[place]}
      value={tier}
      onChange={(event) => {
        const picked = tiers.find((known) => known === event.target.value);
        if (picked !== undefined) onPick(picked);
      }}
    >
      {tiers.map((known) => (
        <option key={known} value={known}>
          {tierOffers[known].name}
        </option>
      ))}
    </select>
  );
}

/** With the price for this rug if it has a size. */
function TierPrice({ tier, rug, rugName, deliveryOption }: ComparedRug & { readonly tier: Tier }) {
  const { rates } = offerOf(usePageData().settings);
  const rate = tierCardRate(tier, deliveryOption, rates);
  const minimum = rates.tierMinimums[tier];
  const area = areaOf(rug);
  return (
    <div>
      <p className={styles.rate}>{compareTexts.perSquareFoot(rate)}</p>
      {deliveryOption === 'pickup' && <p className={styles.note}>{compareTexts.pickupIncluded}</p>}
      <p className={styles.note}>
        {area === 0 ? (
          minimum > 0 && compareTexts.minimumCharge(minimum)
        ) : (
          <>
            <strong>
              <Money amount={baseCharge(area, rate, minimum)} />
            </strong>{' '}
            {compareTexts.forThisRug(rugName)}
          </>
        )}
      </p>
    </div>
  );
}
