import type { ReactNode } from 'react';
import { Card } from '../shared/ui/card.tsx';
import { AddOnFields } from './add-on-fields.tsx';
import { PickupPlanFields } from './pickup-plan-fields.tsx';
import { PresetFields } from './preset-fields.tsx';
import {
  businessPaths,
  collectDaysPath,
  comparisonPaths,
  featurePaths,
  largestOrderPaths,
  measuringPath,
  noticePaths,
  pickupPaths,
  tierPaths,
  waiveBelowPath,
} from './settings-fields.ts';
import { SiteFields } from './site-fields.tsx';
import { TaxFields } from './tax-fields.tsx';
import { TermsField } from './terms-field.tsx';
import { AmountPairs, TextSettings } from './text-settings.tsx';
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
