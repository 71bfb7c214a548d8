import { type Tier, tierOffers, tiers } from '@kilim/domain/catalog';
import { baseCharge, tierCardRate } from '@kilim/domain/quote';
import { areaOf } from '@kilim/domain/rug';
import { usePageData } from '../shared/page-data.ts';
import { CheckIcon } from '../shared/ui/icons.tsx';
import { Money } from '../shared/ui/money.tsx';
import type { ComparedRug } from './compare-overlay.tsx';
import { compareTexts } from './texts.ts';
import styles from './tier-cards.module.css';

/** A comparison shows a tier's first features only (specification, section 9). */
const mostFeatures = 3;

type Place = 'first' | 'second';

type TierCardsProps = ComparedRug & {
  readonly shown: readonly Tier[];
  /** Given where only two have room: which two, is then the customer's choice. */
  readonly onPick: ((place: Place, tier: Tier) => void) | undefined;
};

export function TierCards({ shown, onPick, ...compared }: TierCardsProps) {
  return (
    <ul className={styles.cards} data-shown={shown.length}>
      {shown.map((tier, index) => {
        const place = index === 0 ? 'first' : 'second';
        return (
          // A card keeps its place, so that its select keeps the focus when the tier changes.
          <li
            key={onPick === undefined ? tier : place}
            className={styles.card}
            data-tier={tier}
            data-current={tier === compared.rug.tier || undefined}
          >
            {onPick === undefined ? (
              <h3 className={styles.name}>{tierOffers[tier].name}</h3>
            ) : (
              <TierSelect place={place} tier={tier} onPick={(picked) => onPick(place, picked)} />
            )}
            <TierPrice {...compared} tier={tier} />
            <Features tier={tier} />
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

/** Per square foot as on the form's own cards, and for this very rug once it has a size. */
function TierPrice({ tier, rug, rugName, deliveryOption }: ComparedRug & { readonly tier: Tier }) {
  const { prices } = usePageData().settings;
  const rate = tierCardRate(prices[tier], deliveryOption);
  const area = areaOf(rug);
  return (
    <div>
      <p className={styles.rate}>{compareTexts.perSquareFoot(rate)}</p>
      {deliveryOption === 'pickup' && <p className={styles.note}>{compareTexts.pickupIncluded}</p>}
      <p className={styles.note}>
        {area === 0 ? (
          compareTexts.minimumCharge(tierOffers[tier].minimumCharge)
        ) : (
          <>
            <strong>
              <Money amount={baseCharge(area, tier, rate)} />
            </strong>{' '}
            {compareTexts.forThisRug(rugName)}
          </>
        )}
      </p>
    </div>
  );
}

function Features({ tier }: { readonly tier: Tier }) {
  const { features } = usePageData().settings;
  return (
    <ul className={styles.features}>
      {features[tier].slice(0, mostFeatures).map((feature) => (
        <li key={feature}>
          <CheckIcon />
          {feature}
        </li>
      ))}
    </ul>
  );
}
