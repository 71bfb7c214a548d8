import { type Tier, tierOffers, tiers } from '@kilim/domain/catalog';
import { baseCharge, type DeliveryOption, tierCardRate } from '@kilim/domain/quote';
import { areaOf, type Rug } from '@kilim/domain/rug';
import { memo, useLayoutEffect, useRef } from 'react';
import { Button } from '../shared/ui/button.tsx';
import { ArrowLeftIcon, ArrowRightIcon, CheckIcon } from '../shared/ui/icons.tsx';
import { Money } from '../shared/ui/money.tsx';
import { useNarrow } from '../shared/use-narrow.ts';
import { useOffer, useOrderForm } from './order-form-actor.ts';
import { deliveryOptionOf } from './selectors.ts';
import { orderFormTexts } from './texts.ts';
import { runCarousel, slides, type TierCarousel } from './tier-carousel.ts';
import styles from './tier-picker.module.css';

type TierPickerProps = {
  /** The radios' common name, one per rug. */
  readonly name: string;
  readonly rug: Rug;
  readonly onChoose: (tier: Tier) => void;
};

/** The three tiers, each with what it costs for this very rug: side by side, or on a narrow screen one at a time in a loop. */
export const TierPicker = memo(function TierPicker({ name, rug, onChoose }: TierPickerProps) {
  const deliveryOption = useOrderForm(deliveryOptionOf);
  const narrow = useNarrow();
  const { row, move } = useTierCarousel(narrow, rug.tier, onChoose);
  const legendId = `${name}-legend`;
  const shown = narrow ? slides : slides.filter(({ isCopy }) => !isCopy);
  return (
    <div>
      <p className={styles.legend} id={legendId}>
        {orderFormTexts.tier}
      </p>
      <div
        className={styles.tiers}
        data-carousel={narrow || undefined}
        role="radiogroup"
        aria-labelledby={legendId}
        ref={row}
      >
        {shown.map(({ place, tier, isCopy }) => (
          <TierCard key={place} {...{ tier, name, rug, deliveryOption, isCopy }} onChoose={() => onChoose(tier)} />
        ))}
      </div>
      {narrow && <CarouselControls chosen={rug.tier} onMove={move} />}
    </div>
  );
});

function useTierCarousel(narrow: boolean, tier: Tier, onChoose: (tier: Tier) => void) {
  const row = useRef<HTMLDivElement>(null);
  const carousel = useRef<TierCarousel>(undefined);
  const now = useRef({ tier, onChoose });
  // Before the page is painted: nothing may be seen to move into its place.
  useLayoutEffect(() => {
    now.current = { tier, onChoose };
    carousel.current?.show(tier, true);
  }, [tier, onChoose]);
  useLayoutEffect(() => {
    if (!narrow || row.current === null) return;
    const running = runCarousel(
      row.current,
      () => now.current.tier,
      (chosen) => now.current.onChoose(chosen),
    );
    running.show(now.current.tier, false);
    carousel.current = running;
    return () => {
      running.stop();
      carousel.current = undefined;
    };
  }, [narrow]);
  return { row, move: (by: 1 | -1) => carousel.current?.move(by) };
}

type CarouselControlsProps = { readonly chosen: Tier; readonly onMove: (by: 1 | -1) => void };

function CarouselControls({ chosen, onMove }: CarouselControlsProps) {
  return (
    <div className={styles.controls}>
      <Button variant="quiet" aria-label={orderFormTexts.previousTier} onClick={() => onMove(-1)}>
        <ArrowLeftIcon />
      </Button>
      <div className={styles.position}>
        <p className={styles.dots} aria-hidden="true">
          {tiers.map((tier) => (
            <span key={tier} data-chosen={tier === chosen || undefined} />
          ))}
        </p>
        <p className={styles.swipe}>{orderFormTexts.swipeTiers}</p>
      </div>
      <Button variant="quiet" aria-label={orderFormTexts.nextTier} onClick={() => onMove(1)}>
        <ArrowRightIcon />
      </Button>
    </div>
  );
}

type TierCardProps = {
  readonly tier: Tier;
  readonly name: string;
  readonly rug: Rug;
  readonly deliveryOption: DeliveryOption;
  /** A copy at an end of the loop is for the eye only. */
  readonly isCopy: boolean;
  readonly onChoose: () => void;
};

function TierCard({ tier, name, rug, deliveryOption, isCopy, onChoose }: TierCardProps) {
  const { features } = useOffer();
  const offer = tierOffers[tier];
  const id = `${name}-${tier}`;
  return (
    <div
      className={styles.tier}
      data-tier={tier}
      data-chosen={rug.tier === tier || undefined}
      data-copy={isCopy || undefined}
      aria-hidden={isCopy || undefined}
    >
      <div className={styles.head}>
        {isCopy ? (
          <span className={styles.radio} />
        ) : (
          <input
            type="radio"
            id={id}
            name={name}
            className={styles.radio}
            checked={rug.tier === tier}
            aria-describedby={`${id}-details`}
            onChange={onChoose}
          />
        )}
        {isCopy ? (
          <span className={styles.name}>{offer.name}</span>
        ) : (
          <label htmlFor={id} className={styles.name}>
            {offer.name}
          </label>
        )}
      </div>
      <div id={isCopy ? undefined : `${id}-details`} className={styles.details}>
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
