import { type PickupWindow, pickupWindows } from '@kilim/domain/contact';
import { type Weekday, weekdays } from '@kilim/domain/day';
import { dayNames, fieldName } from '@kilim/domain/settings/describe-change';
import { Checkbox } from 'antd';
import cards from '../shared/ui/card.module.css';
import { TextAreaField, TextField } from '../shared/ui/field.tsx';
import styles from './settings.module.css';
import {
  closedDaysPath,
  linesIn,
  mostPerDayPath,
  windowsPath,
  windowsPathOf,
  zipCodesPath,
} from './settings-fields.ts';
import { change, problemAt } from './text-settings.tsx';
import { settingsTexts } from './texts.ts';
import type { SettingsFormState } from './use-settings-form.ts';

type PlanProps = { readonly form: SettingsFormState };

/** Where and when the shop drives. */
export function PickupPlanFields({ form }: PlanProps) {
  const { draft, problems } = form;
  const textAt = (path: string) => ({
    label: fieldName(path),
    value: draft.texts[path] ?? '',
    error: problemAt(problems, path),
    onText: (text: string) => change(form, path, text),
  });
  return (
    <div className={styles.plan}>
      <TextAreaField {...textAt(zipCodesPath)} hint={settingsTexts.zipCodesHint} rows={3} inputMode="numeric" />
      <DrivenDays form={form} />
      <div className={styles.grid}>
        <TextField
          {...textAt(mostPerDayPath)}
          hint={settingsTexts.pickupsHint}
          inputMode="numeric"
          autoComplete="off"
        />
        <TextAreaField {...textAt(closedDaysPath)} hint={settingsTexts.closedDaysHint} rows={3} />
      </div>
    </div>
  );
}

function DrivenDays({ form }: PlanProps) {
  const problem = problemAt(form.problems, windowsPath);
  return (
    <fieldset>
      <legend className={cards.legend}>{settingsTexts.pickupDays}</legend>
      <p className={cards.soft}>{settingsTexts.pickupDaysNote}</p>
      {problem !== undefined && <p role="alert">{problem}</p>}
      {weekdays.map((weekday) => (
        <DrivenDay key={weekday} form={form} weekday={weekday} />
      ))}
    </fieldset>
  );
}

/** A day is driven while one of its times is. */
function DrivenDay({ form, weekday }: PlanProps & { readonly weekday: Weekday }) {
  const { draft, edit } = form;
  const path = windowsPathOf(weekday);
  const driven = linesIn(draft.texts[path] ?? '');
  const choose = (windows: readonly string[]) => {
    const inOrder = pickupWindows.filter((window) => windows.includes(window));
    edit({ ...draft, texts: { ...draft.texts, [path]: inOrder.join('\n') } }, windowsPath);
  };
  const toggle = (window: PickupWindow, isDriven: boolean) =>
    choose(isDriven ? [...driven, window] : driven.filter((other) => other !== window));
  return (
    <div className={styles.day}>
      <Checkbox checked={driven.length > 0} onChange={({ target }) => choose(target.checked ? pickupWindows : [])}>
        {dayNames[weekday]}
      </Checkbox>
      {driven.length > 0 &&
        pickupWindows.map((window) => (
          <Checkbox
            key={window}
            aria-label={settingsTexts.pickupDayWindow(dayNames[weekday], window)}
            checked={driven.includes(window)}
            onChange={({ target }) => toggle(window, target.checked)}
          >
            {settingsTexts.pickupWindows[window]}
          </Checkbox>
        ))}
    </div>
  );
}
