import { fieldName } from '@kilim/domain/settings/describe-change';
import { Alert, Button } from 'antd';
import type { FormEvent } from 'react';
import type { AdminSettings } from '../shared/settings/settings-calls.ts';
import cards from '../shared/ui/card.module.css';
import { Card } from '../shared/ui/card.tsx';
import { AddOnFields } from './add-on-fields.tsx';
import { ConflictDialog } from './conflict-dialog.tsx';
import { PickupPlanFields } from './pickup-plan-fields.tsx';
import { PresetFields } from './preset-fields.tsx';
import styles from './settings.module.css';
import {
  businessPaths,
  comparisonPaths,
  featurePaths,
  largestOrderPaths,
  noticePaths,
  pickupPaths,
  tierPaths,
} from './settings-fields.ts';
import { SiteFields } from './site-fields.tsx';
import { TaxFields } from './tax-fields.tsx';
import { TermsField } from './terms-field.tsx';
import { AmountPairs, TextSettings } from './text-settings.tsx';
import { settingsTexts } from './texts.ts';
import { type SettingsFormState, useSettingsForm } from './use-settings-form.ts';

export function SettingsForm({ saved }: { readonly saved: AdminSettings }) {
  const form = useSettingsForm(saved);
  const { busy, isDirty } = form;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!busy) form.save();
  };
  return (
    <>
      <form className={cards.stack} onSubmit={submit} noValidate>
        <div>
          <h2>{settingsTexts.heading}</h2>
          <p className={cards.note}>{settingsTexts.note}</p>
        </div>
        <ProblemList problems={form.problems} />
        <PricingCards form={form} />
        <Card title={settingsTexts.features} note={settingsTexts.featuresNote}>
          <TextSettings form={form} paths={featurePaths} kind="lines" />
        </Card>
        <Card title={settingsTexts.comparison} note={settingsTexts.comparisonNote}>
          <TextSettings form={form} paths={comparisonPaths} kind="text" />
        </Card>
        <Card title={settingsTexts.business} note={settingsTexts.businessNote}>
          <TextSettings form={form} paths={businessPaths} kind="text" />
        </Card>
        <Card title={settingsTexts.sites} note={settingsTexts.sitesNote}>
          <SiteFields form={form} />
        </Card>
        <Card title={settingsTexts.notices} note={settingsTexts.noticesNote}>
          <AmountPairs form={form} paths={noticePaths} />
        </Card>
        <Card title={settingsTexts.terms} note={settingsTexts.termsNote}>
          <TermsField form={form} />
        </Card>
        <div className={styles.saveBar}>
          <p role="status">{isDirty ? settingsTexts.unsaved : ''}</p>
          {isDirty && (
            <Button onClick={form.discard} disabled={busy}>
              {settingsTexts.discard}
            </Button>
          )}
          <Button type="primary" htmlType="submit" loading={busy}>
            {busy ? settingsTexts.saving : settingsTexts.save}
          </Button>
        </div>
      </form>
      {form.prompt}
      {form.conflict !== undefined && <ConflictDialog conflict={form.conflict} form={form} />}
    </>
  );
}

function PricingCards({ form }: { readonly form: SettingsFormState }) {
  return (
    <>
      <Card title={settingsTexts.prices} note={settingsTexts.pricesNote}>
        <AmountPairs form={form} paths={tierPaths} />
      </Card>
      <Card title={settingsTexts.addOns} note={settingsTexts.addOnsNote}>
        <AddOnFields form={form} />
      </Card>
      <Card title={settingsTexts.pickup} note={settingsTexts.pickupNote}>
        <AmountPairs form={form} paths={pickupPaths} />
        <PickupPlanFields form={form} />
      </Card>
      <Card title={settingsTexts.largestOrder} note={settingsTexts.largestOrderNote}>
        <AmountPairs form={form} paths={largestOrderPaths} />
      </Card>
      <Card title={settingsTexts.tax} note={settingsTexts.taxNote}>
        <TaxFields form={form} />
      </Card>
      <Card title={settingsTexts.presets} note={settingsTexts.presetsNote}>
        <PresetFields form={form} />
      </Card>
    </>
  );
}

function ProblemList({ problems }: { readonly problems: Readonly<Record<string, string>> }) {
  const entries = Object.entries(problems);
  if (entries.length === 0) return null;
  return (
    <Alert
      type="error"
      role="alert"
      showIcon
      title={settingsTexts.problems}
      description={
        <ul>
          {entries.map(([path, message]) => (
            <li key={path}>{path === 'body' ? message : `${fieldName(path)}: ${message}`}</li>
          ))}
        </ul>
      }
    />
  );
}
