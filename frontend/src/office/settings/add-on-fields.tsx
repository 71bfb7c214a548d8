import { addOns, type RugAddOn } from '@kilim/domain/rug';
import cards from '../shared/ui/card.module.css';
import { ImageField } from './image-field.tsx';
import styles from './settings.module.css';
import type { ImageName } from './settings-draft.ts';
import { AmountSetting } from './text-settings.tsx';
import { settingsTexts } from './texts.ts';
import type { SettingsFormState } from './use-settings-form.ts';

const imageNames: Readonly<Record<RugAddOn, ImageName>> = {
  stainProtection: 'protection',
  greenPad: 'pad',
  repairInspection: 'repair',
};

export function AddOnFields({ form }: { readonly form: SettingsFormState }) {
  return (
    <div className={styles.addOns}>
      {addOns.map((addOn) => (
        <section key={addOn} className={styles.addOn} aria-label={settingsTexts.addOnNames[addOn]}>
          <h3>{settingsTexts.addOnNames[addOn]}</h3>
          {addOn === 'repairInspection' ? (
            <p className={cards.note}>{settingsTexts.repairIsFree}</p>
          ) : (
            <AmountSetting form={form} path={`addOnPrices.${addOn}`} />
          )}
          <ImageField form={form} name={imageNames[addOn]} />
        </section>
      ))}
    </div>
  );
}
