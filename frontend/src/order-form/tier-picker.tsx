import { type Tier, tierOffers, tiers } from '@kilim/domain/catalog';
import type { Cents } from '@kilim/domain/money';
import { baseCharge, tierCardRate } from '@kilim/domain/quote';
import type { SquareInches } from '@kilim/domain/rug';
import { memo, type ReactNode, useLayoutEffect, useRef } from 'react';
import { Button } from '../shared/ui/button.tsx';
import { FeatureList } from '../shared/ui/feature-list.tsx';
import { ArrowLeftIcon, ArrowRightIcon } from '../shared/ui/icons.tsx';
import { Money } from '../shared/ui/money.tsx';
import { isNarrow, useNarrow } from '../shared/use-media-query.ts';
import { useOffer, useOrderForm } from './order-form-actor.ts';
import { deliveryOptionOf } from './selectors.ts';
import { orderFormTexts } from './texts.ts';
import { runCarousel, slides, type TierCarousel, watchSwipes } from './tier-carousel.ts';
import styles from './tier-picker.module.css';

type TierPickerProps = {
  readonly name: string;
  readonly chosen: Tier;
  /** 0 if the rug has no size yet. */
  readonly area: SquareInches;
  readonly onChoose: (tier: Tier) => void;
};

/** Side by side, or as a looping carousel on narrow screens. */
export const TierPicker = memo(function TierPicker({ name, chosen, area, onChoose }: TierPickerProps) {
  const deliveryOption = useOrderForm(deliveryOptionOf);
  const { rates, features } = useOffer();
  const narrow = useNarrow();
  const { row, move } = useTierCarousel(narrow, chosen, onChoose);
  const legendId = `${name}-legend`;
  const shown = narrow ? slides : slides.filter(({ isCopy }) => !isCopy);
  return (
    <div>
      <p className={styles.legend} id={legendId}>
        {orderFormTexts.tier}
      </p>
      <div className={styles.tiers} role="radiogroup" aria-labelledby={legendId} ref={row}>
        {shown.map(({ place, tier, isCopy }) => (
          <TierCard key={place} {...{ tier, name, isCopy, onChoose }} isChosen={chosen === tier}>
            <TierPrice
              area={area}
              rate={tierCardRate(tier, deliveryOption, rates)}
              minimum={rates.tierMinimums[tier]}
              isWithPickup={deliveryOption === 'pickup'}
            />
            <TierPromise tier={tier} features={features[tier]} />
          </TierCard>
        ))}
      </div>
      <CarouselControls chosen={chosen} onMove={move} />
    </div>
  );
});

function useTierCarousel(narrow: boolean, tier: Tier, onChoose: (tier: Tier) => void) {
  const row = useRef<HTMLDivElement>(null);
  const carousel = useRef<TierCarousel>(undefined);
  const swiped = useRef<Tier>(undefined);
  const now = useRef({ tier, onChoose });
  // Layout effects scroll before the browser paints.
  useLayoutEffect(() => {
    now.current = { tier, onChoose };
    carousel.current?.show(tier, true);
  }, [tier, onChoose]);
  useLayoutEffect(() => {
    if (row.current === null) return;
    // A wide row scrolls only when it becomes narrow, which chooses nothing.
    if (!narrow) return isNarrow() ? watchSwipes(row.current, swiped) : undefined;
    if (swiped.current !== undefined) {
      now.current.tier = swiped.current;
      now.current.onChoose(swiped.current);
      swiped.current = undefined;
    }
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
  readonly isChosen: boolean;
  /** At an end of the carousel, hidden from screen readers. */
  readonly isCopy: boolean;
  readonly onChoose: (tier: Tier) => void;
  readonly children: ReactNode;
};

function TierCard({ tier, name, isChosen, isCopy, onChoose, children }: TierCardProps) {
  const offer = tierOffers[tier];
  const id = `${name}-${tier}`;
  return (
    <div
      className={styles.tier}
      data-hue={tier}
      data-chosen={isChosen || undefined}
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
            checked={isChosen}
            aria-describedby={`${id}-details`}
            onChange={() => onChoose(tier)}
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
        {children}
      </div>
    </div>
  );
}

type TierPromiseProps = { readonly tier: Tier; readonly features: readonly string[] };

/** Typing a size does not change it. */
const TierPromise = memo(function TierPromise({ tier, features }: TierPromiseProps) {
  return (
    <>
      <p className={styles.description}>{tierOffers[tier].description}</p>
      <FeatureList features={features} />
    </>
  );
});

type TierPriceProps = {
  readonly area: SquareInches;
  /** Per square foot, with pickup if it is chosen. */
  readonly rate: Cents;
  readonly minimum: Cents;
  readonly isWithPickup: boolean;
};

const TierPrice = memo(function TierPrice({ area, rate, minimum, isWithPickup }: TierPriceProps) {
  const charge = baseCharge(area, rate, minimum);
  return (
    <div>
      <p className={styles.rate}>
        {orderFormTexts.perSquareFoot(rate)}
        {isWithPickup && <span> {orderFormTexts.pickupIncluded}</span>}
      </p>
      <p className={styles.charge}>
        {area === 0 ? (
          minimum > 0 && orderFormTexts.minimumCharge(minimum)
        ) : (
          <>
            <strong>
              <Money amount={charge} />
            </strong>{' '}
            {charge === minimum ? orderFormTexts.minimumApplies : orderFormTexts.forThisRug}
          </>
        )}
      </p>
    </div>
  );
});
