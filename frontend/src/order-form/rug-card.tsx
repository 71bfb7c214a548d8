import type { Tier } from '@kilim/domain/catalog';
import { baseCharge } from '@kilim/domain/quote';
import { areaOf, type Rug } from '@kilim/domain/rug';
import { memo, useCallback } from 'react';
import { afterPress } from '../shared/after-press.ts';
import { Button } from '../shared/ui/button.tsx';
import { Money } from '../shared/ui/money.tsx';
import { Panel } from '../shared/ui/panel.tsx';
import { AddOns } from './add-ons.tsx';
import type { AddOn } from './draft.ts';
import { rugId } from './form-problems.ts';
import { useOffer, useOrderForm, useOrderFormActor } from './order-form-actor.ts';
import styles from './rug-card.module.css';
import { SizeFields } from './size-fields.tsx';
import type { SizeField } from './size-input.ts';
import { orderFormTexts } from './texts.ts';
import { TierPicker } from './tier-picker.tsx';

type RugCardProps = { readonly index: number; readonly removable: boolean };

/** One rug. It looks at its own rug only: typing in one card draws no other. */
export const RugCard = memo(function RugCard({ index, removable }: RugCardProps) {
  const actor = useOrderFormActor();
  const draft = useOrderForm(useCallback((snapshot) => snapshot.context.rugs[index], [index]));
  const type = useCallback(
    (field: SizeField, text: string) => actor.send({ type: 'rug.sizeTyped', index, field, text }),
    [actor, index],
  );
  const leave = useCallback(
    (field: SizeField) => afterPress(() => actor.send({ type: 'rug.sizeLeft', index, field })),
    [actor, index],
  );
  const choose = useCallback((tier: Tier) => actor.send({ type: 'rug.tierChosen', index, tier }), [actor, index]);
  const setAddOn = useCallback(
    (addOn: AddOn, on: boolean) => actor.send({ type: 'rug.addOnSet', index, addOn, on }),
    [actor, index],
  );
  // The last of several may be removed between a change and the next drawing.
  if (draft === undefined) return null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the focus moving into a rug makes it the active one; nothing is pressed here.
    <div onFocus={() => actor.send({ type: 'rug.activated', index })}>
      <Panel
        id={rugId(index)}
        headingId={`${rugId(index)}-title`}
        title={orderFormTexts.rug(index)}
        level={3}
        className={styles.card}
        action={
          <div className={styles.corner}>
            <RugPrice rug={draft.rug} />
            {removable && <RemoveRug index={index} />}
          </div>
        }
      >
        <SizeFields index={index} draft={draft} onType={type} onLeave={leave} />
        <TierPicker name={`${rugId(index)}-tier`} rug={draft.rug} onChoose={choose} />
        <AddOns name={rugId(index)} rug={draft.rug} onSet={setAddOn} />
      </Panel>
    </div>
  );
});

/** The base cost of the rug, once it has a size. */
function RugPrice({ rug }: { readonly rug: Rug }) {
  const { prices } = useOffer();
  const area = areaOf(rug);
  if (area === 0) return null;
  return (
    <p className={styles.price}>
      <Money amount={baseCharge(area, rug.tier, prices[rug.tier])} />
    </p>
  );
}

function RemoveRug({ index }: { readonly index: number }) {
  const actor = useOrderFormActor();
  return (
    <Button
      variant="quiet"
      aria-label={orderFormTexts.removeRug(index)}
      onClick={() => actor.send({ type: 'rug.removed', index })}
    >
      {orderFormTexts.remove}
    </Button>
  );
}
