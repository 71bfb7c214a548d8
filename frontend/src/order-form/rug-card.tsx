import type { Tier } from '@kilim/domain/catalog';
import { describeRug } from '@kilim/domain/describe-rug';
import { baseCharge } from '@kilim/domain/quote';
import { areaOf, type Rug } from '@kilim/domain/rug';
import { type KeyboardEvent, memo, useCallback } from 'react';
import { CompareTiers } from '../compare-tiers/compare-tiers.tsx';
import { Money } from '../shared/ui/money.tsx';
import { Panel } from '../shared/ui/panel.tsx';
import { AddOns } from './add-ons.tsx';
import { isFolded, isRemovable } from './draft.ts';
import { rugId } from './form-problems.ts';
import { useOffer, useOrderForm, useOrderFormActor } from './order-form-actor.ts';
import { RugButton } from './rug-button.tsx';
import styles from './rug-card.module.css';
import { deliveryOptionOf } from './selectors.ts';
import { SizeFields } from './size-fields.tsx';
import { orderFormTexts } from './texts.ts';
import { TierPicker } from './tier-picker.tsx';

type RugCardProps = { readonly index: number; readonly duplicable: boolean };

/** Selects only its own state, so that typing in one card does not rerender the others. */
export const RugCard = memo(function RugCard({ index, duplicable }: RugCardProps) {
  const actor = useOrderFormActor();
  const draft = useOrderForm(useCallback((snapshot) => snapshot.context.rugs[index], [index]));
  const removable = useOrderForm(useCallback(({ context }) => isRemovable(context.rugs, index), [index]));
  const deliveryOption = useOrderForm(deliveryOptionOf);
  const choose = useCallback(
    (tier: Tier) => actor.send({ type: 'rug.chosen', index, choice: { tier } }),
    [actor, index],
  );
  // The last rug may be removed before this card is unmounted.
  if (draft === undefined) return null;
  const folded = isFolded(draft);
  return (
    // One form per rug: at each key press the browser's autofill scans all inputs of the form.
    <form
      noValidate
      onFocus={() => actor.send({ type: 'rug.activated', index })}
      onKeyDown={(event) => {
        if (!isContinueKey(event)) return;
        event.preventDefault();
        actor.send({ type: 'rugs.continued' });
      }}
    >
      <Panel
        id={rugId(index)}
        headingId={`${rugId(index)}-title`}
        title={orderFormTexts.rug(index)}
        level={3}
        className={folded ? styles.folded : styles.card}
        action={
          <div className={styles.corner}>
            <RugPrice rug={draft.rug} />
          </div>
        }
      >
        {folded ? (
          <p>{describeRug(draft.rug)}</p>
        ) : (
          <>
            <SizeFields index={index} draft={draft} />
            <div className={styles.tiers}>
              <TierPicker
                name={`${rugId(index)}-tier`}
                chosen={draft.rug.tier}
                area={areaOf(draft.rug)}
                onChoose={choose}
              />
              <CompareTiers
                rug={draft.rug}
                rugName={orderFormTexts.rug(index)}
                deliveryOption={deliveryOption}
                onChoose={choose}
              />
            </div>
            <AddOns index={index} rug={draft.rug} />
          </>
        )}
        <div className={styles.foot}>
          {folded && <RugButton index={index} sends="rug.visited" />}
          {duplicable && <RugButton index={index} sends="rug.duplicated" />}
          {removable && <RugButton index={index} sends="rug.removed" />}
        </div>
      </Panel>
    </form>
  );
});

/** As in a form with a submit button. */
function isContinueKey({ key, target, nativeEvent }: KeyboardEvent): boolean {
  return key === 'Enter' && target instanceof HTMLInputElement && !nativeEvent.isComposing;
}

/** If the rug has a size. */
function RugPrice({ rug }: { readonly rug: Rug }) {
  const { tierPrices, tierMinimums } = useOffer().rates;
  const area = areaOf(rug);
  if (area === 0) return null;
  return (
    <p className={styles.price}>
      <Money amount={baseCharge(area, tierPrices[rug.tier], tierMinimums[rug.tier])} />
    </p>
  );
}
