import { Button } from 'antd';
import { usePageData } from '../../shared/page-data.ts';
import cards from '../shared/ui/card.module.css';
import { TextField } from '../shared/ui/field.tsx';
import { isoDay } from '../shared/ui/format.ts';
import styles from './settings.module.css';
import type { TypedTaxRate } from './settings-draft.ts';
import { dayWords, taxNamePath, taxRatesPath } from './settings-fields.ts';
import { TextSettings } from './text-settings.tsx';
import { settingsTexts } from './texts.ts';
import type { SettingsFormState } from './use-settings-form.ts';

export function TaxFields({ form }: { readonly form: SettingsFormState }) {
  const { draft, problems, edit } = form;
  const rates = draft.taxRates;
  const change = (taxRates: readonly TypedTaxRate[]) => edit({ ...draft, taxRates }, taxRatesPath);
  return (
    <div className={cards.stack}>
      <div className={styles.months}>
        <TextSettings form={form} paths={[taxNamePath]} kind="text" />
      </div>
      <fieldset className={cards.stack}>
        <legend className={cards.legend}>{settingsTexts.taxRates}</legend>
        {problems[taxRatesPath] !== undefined && <p role="alert">{problems[taxRatesPath]}</p>}
        {rates.map((rate, place) => (
          <TaxRateRow
            // biome-ignore lint/suspicious/noArrayIndexKey: a rate is identified by its place in the list.
            key={place}
            rate={rate}
            place={place}
            problems={problems}
            onChange={(changed) => change(rates.with(place, changed))}
            onRemove={() => change(rates.filter((_, other) => other !== place))}
          />
        ))}
        <RatesInWords rates={rates} />
        <div>
          <Button onClick={() => change([...rates, { percent: '', since: '' }])}>{settingsTexts.addTaxRate}</Button>
        </div>
      </fieldset>
    </div>
  );
}

type TaxRateRowProps = {
  readonly rate: TypedTaxRate;
  readonly place: number;
  readonly problems: SettingsFormState['problems'];
  readonly onChange: (rate: TypedTaxRate) => void;
  readonly onRemove: () => void;
};

function TaxRateRow({ rate, place, problems, onChange, onRemove }: TaxRateRowProps) {
  const number = place + 1;
  return (
    <div className={styles.rate}>
      <TextField
        label={settingsTexts.taxPercent(number)}
        error={problems[`${taxRatesPath}.${place}.percent`]}
        inputMode="decimal"
        autoComplete="off"
        value={rate.percent}
        onText={(percent) => onChange({ ...rate, percent })}
      />
      <TextField
        label={settingsTexts.taxSince(number)}
        error={problems[`${taxRatesPath}.${place}.since`]}
        type="date"
        value={rate.since}
        onText={(since) => onChange({ ...rate, since })}
      />
      <Button aria-label={settingsTexts.removeTaxRate(number)} onClick={onRemove}>
        {settingsTexts.remove}
      </Button>
    </div>
  );
}

/** Today's rate and the following ones in words, so that a wrong date is noticed. */
function RatesInWords({ rates }: { readonly rates: readonly TypedTaxRate[] }) {
  const { timeZone } = usePageData().config.business;
  const today = isoDay(new Date(), timeZone);
  const complete = rates.filter(({ percent, since }) => percent.trim() !== '' && since !== '');
  const sorted = complete.toSorted((first, second) => (first.since < second.since ? -1 : 1));
  const now = sorted.findLast(({ since }) => since <= today);
  const later = sorted.filter(({ since }) => since > today);
  return (
    <p role="status" className={cards.soft}>
      {[
        ...(now === undefined ? [] : [settingsTexts.taxToday(withoutPercent(now))]),
        ...later.map((rate) => settingsTexts.taxLater(withoutPercent(rate), dayWords(rate.since))),
      ].join(' ')}
    </p>
  );
}

function withoutPercent({ percent }: TypedTaxRate): string {
  return percent.replace('%', '').trim();
}
