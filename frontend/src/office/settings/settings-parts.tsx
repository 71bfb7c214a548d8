import { addOns, formatSize, type RugAddOn } from '@kilim/domain/rug';
import { type ReactNode, useDeferredValue } from 'react';
import { BusinessTerms } from '../../checkout/business-terms.tsx';
import cards from '../shared/ui/card.module.css';
import { Card } from '../shared/ui/card.tsx';
import { TextAreaField } from '../shared/ui/field.tsx';
import { ImageField } from './image-field.tsx';
import { PickupPlanFields } from './pickup-plan-fields.tsx';
import styles from './settings.module.css';
import type { ImageName } from './settings-draft.ts';
import {
  businessPaths,
  collectDaysPath,
  comparisonPaths,
  featurePaths,
  largestOrderPaths,
  linesIn,
  measuringPath,
  noticePaths,
  pickupPaths,
  presetIn,
  presetsPath,
  termsPath,
  tierPaths,
  waiveBelowPath,
} from './settings-fields.ts';
import { SiteFields } from './site-fields.tsx';
import { TaxFields } from './tax-fields.tsx';
import { AmountPairs, AmountSetting, change, TextSettings } from './text-settings.tsx';
import { type SettingsPart, settingsTexts as texts } from './texts.ts';
import type { SettingsFormState } from './use-settings-form.ts';

/** Each is a form of its own. */
export type FormPart = Exclude<SettingsPart, 'contacts' | 'history'>;

export const formParts: Readonly<Record<FormPart, (form: SettingsFormState) => ReactNode>> = {
  prices: (form) => (
    <>
      <Card title={texts.prices} note={texts.pricesNote}>
        <AmountPairs form={form} paths={tierPaths} />
      </Card>
      <Card title={texts.features} note={texts.featuresNote}>
        <TextSettings form={form} paths={featurePaths} kind="lines" />
      </Card>
    </>
  ),
  'add-ons': (form) => (
    <Card title={texts.addOns} note={texts.addOnsNote}>
      <AddOnFields form={form} />
    </Card>
  ),
  sizes: (form) => (
    <Card title={texts.presets} note={texts.presetsNote}>
      <PresetFields form={form} />
    </Card>
  ),
  pickup: (form) => (
    <Card title={texts.pickup} note={texts.pickupNote}>
      <AmountPairs form={form} paths={pickupPaths} />
      <PickupPlanFields form={form} />
    </Card>
  ),
  tax: (form) => (
    <Card title={texts.tax} note={texts.taxNote}>
      <TaxFields form={form} />
    </Card>
  ),
  shop: (form) => (
    <Card title={texts.business} note={texts.businessNote}>
      <TextSettings form={form} paths={businessPaths} kind="text" />
    </Card>
  ),
  sites: (form) => (
    <Card title={texts.sites} note={texts.sitesNote}>
      <SiteFields form={form} />
    </Card>
  ),
  terms: (form) => (
    <Card title={texts.terms} note={texts.termsNote}>
      <TermsField form={form} />
    </Card>
  ),
  comparison: (form) => (
    <Card title={texts.comparison} note={texts.comparisonNote}>
      <TextSettings form={form} paths={comparisonPaths} kind="text" />
    </Card>
  ),
  receiving: (form) => (
    <Card title={texts.receiving} note={texts.receivingNote}>
      <AmountPairs form={form} paths={[waiveBelowPath]} />
      <TextSettings form={form} paths={[measuringPath, collectDaysPath]} kind="text" />
    </Card>
  ),
  limits: (form) => (
    <>
      <Card title={texts.largestOrder} note={texts.largestOrderNote}>
        <AmountPairs form={form} paths={largestOrderPaths} />
      </Card>
      <Card title={texts.notices} note={texts.noticesNote}>
        <AmountPairs form={form} paths={noticePaths} />
      </Card>
    </>
  ),
};

export function isFormPart(part: SettingsPart): part is FormPart {
  return Object.hasOwn(formParts, part);
}

type FieldsProps = { readonly form: SettingsFormState };

const imageNames: Readonly<Record<RugAddOn, ImageName>> = {
  stainProtection: 'protection',
  greenPad: 'pad',
  repairInspection: 'repair',
};

function AddOnFields({ form }: FieldsProps) {
  return (
    <div className={styles.addOns}>
      {addOns.map((addOn) => (
        <section key={addOn} className={styles.addOn} aria-label={texts.addOnNames[addOn]}>
          <h3>{texts.addOnNames[addOn]}</h3>
          {addOn === 'repairInspection' ? (
            <p className={cards.note}>{texts.repairIsFree}</p>
          ) : (
            <AmountSetting form={form} path={`addOnPrices.${addOn}`} />
          )}
          <ImageField form={form} name={imageNames[addOn]} />
        </section>
      ))}
    </div>
  );
}

/** With the buttons as customers see them. */
function PresetFields({ form }: FieldsProps) {
  const typed = useDeferredValue(form.draft.texts[presetsPath] ?? '');
  const presets = linesIn(typed).flatMap((line) => presetIn(line) ?? []);
  return (
    <div className={styles.halves}>
      <TextSettings form={form} paths={[presetsPath]} kind="lines" />
      <section className={styles.preview} aria-label={texts.presetsPreview}>
        <p className={styles.previewTitle}>{texts.presetsPreview}</p>
        {presets.length === 0 ? (
          <p className={cards.note}>{texts.noPresets}</p>
        ) : (
          <ul className={styles.presets}>
            {presets.map((preset, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two lines may have the same size while they are typed.
              <li key={place}>{formatSize(preset)}</li>
            ))}
          </ul>
        )}
      </section>
    </div>
  );
}

/** With the terms as customers see them. */
function TermsField({ form }: FieldsProps) {
  const { draft, problems } = form;
  const terms = draft.texts[termsPath] ?? '';
  const shown = useDeferredValue(terms);
  return (
    <div className={styles.halves}>
      <TextAreaField
        label={texts.terms}
        error={problems[termsPath]}
        rows={10}
        value={terms}
        onText={(text) => change(form, termsPath, text)}
      />
      <section className={styles.preview} aria-label={texts.termsPreview}>
        <p className={styles.previewTitle}>{texts.termsPreview}</p>
        {shown.trim() === '' ? <p>{texts.termsEmpty}</p> : <BusinessTerms markup={shown} />}
      </section>
    </div>
  );
}
