import { addOnNames } from '@kilim/domain/describe-rug';
import { formatDollars } from '@kilim/domain/money';
import type { Rates } from '@kilim/domain/rates';
import { addOns, areaOf, priceOfArea, type Rug, type RugAddOn } from '@kilim/domain/rug';
import { memo } from 'react';
import type { ImageName } from '../shared/offer.ts';
import styles from './add-ons.module.css';
import { rugId } from './form-problems.ts';
import { useOffer, useOrderFormActor } from './order-form-actor.ts';
import { orderFormTexts } from './texts.ts';

const imageNames: Readonly<Record<RugAddOn, ImageName>> = {
  stainProtection: 'protection',
  greenPad: 'pad',
  repairInspection: 'repair',
};

type AddOnsProps = { readonly index: number; readonly rug: Rug };

export const AddOns = memo(function AddOns({ index, rug }: AddOnsProps) {
  const { addOnImages, rates } = useOffer();
  return (
    <fieldset>
      <legend className={styles.legend}>{orderFormTexts.addOns}</legend>
      {addOns.map((addOn) => (
        <AddOnLine
          key={addOn}
          addOn={addOn}
          index={index}
          checked={rug[addOn]}
          included={addOn === 'stainProtection' && rug.tier === 'premium'}
          price={priceWords(addOn, rug, rates)}
          image={addOnImages[imageNames[addOn]]}
        />
      ))}
    </fieldset>
  );
});

type AddOnLineProps = {
  readonly index: number;
  readonly addOn: RugAddOn;
  readonly checked: boolean;
  readonly included: boolean;
  readonly price: string;
  readonly image: string | undefined;
};

const AddOnLine = memo(function AddOnLine({ index, addOn, checked, included, price, image }: AddOnLineProps) {
  const actor = useOrderFormActor();
  const id = `${rugId(index)}-${addOn}`;
  return (
    <div className={styles.addOn} data-included={included || undefined}>
      <input
        type="checkbox"
        id={id}
        className={styles.box}
        checked={checked}
        // Not `disabled`, so that screen reader users can reach an included add-on.
        aria-disabled={included || undefined}
        aria-describedby={`${id}-hint ${id}-price`}
        onChange={(event) => actor.send({ type: 'rug.chosen', index, choice: { [addOn]: event.target.checked } })}
      />
      <div className={styles.line}>
        <label htmlFor={id} className={styles.name}>
          {addOnNames[addOn]}
        </label>
        <p id={`${id}-price`} className={styles.price}>
          {price}
        </p>
      </div>
      <p id={`${id}-hint`} className={styles.hint}>
        {orderFormTexts.addOnHints[addOn]}
      </p>
      {image !== undefined && <img className={styles.image} src={image} alt="" width={56} height={56} loading="lazy" />}
    </div>
  );
});

/** For this rug, or per square foot if it has no size yet. */
function priceWords(addOn: RugAddOn, rug: Rug, { addOnPrices }: Rates): string {
  if (addOn === 'repairInspection') return orderFormTexts.free;
  if (addOn === 'stainProtection' && rug.tier === 'premium') return orderFormTexts.included;
  const rate = addOnPrices[addOn];
  if (rate === 0) return orderFormTexts.free;
  const area = areaOf(rug);
  return area === 0 ? orderFormTexts.addOnRate(rate) : `+${formatDollars(priceOfArea(area, rate))}`;
}
