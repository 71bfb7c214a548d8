import { pickupDays } from '@kilim/bff/contract/pickup-plan';
import { parseDay } from '@kilim/domain/day';
import { daysOfPickup, windowsOfAnyDay, windowsOn } from '@kilim/domain/pickup-plan';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { request } from '../shared/api-client.ts';
import { call } from '../shared/call.ts';
import { usePageData } from '../shared/page-data.ts';
import { Field } from '../shared/ui/text-field.tsx';
import { cartTexts } from './cart-texts.ts';
import styles from './contact-section.module.css';
import { contactFieldId } from './form-problems.ts';
import { useOrderForm, useOrderFormActor } from './order-form-actor.ts';
import { dayText, dropRefusedDay, planOf, todayIn } from './pickup-days.ts';
import { pickupTexts } from './pickup-texts.ts';

/** All of it may stay empty. */
export function PickupWishes() {
  return (
    <fieldset className={styles.wishes}>
      <legend className={styles.legend}>{cartTexts.wishesHeading}</legend>
      <div className={styles.fields}>
        <div className={styles.pair}>
          <DayField />
          <WindowField />
        </div>
        <NoteField />
      </div>
    </fieldset>
  );
}

function DayField() {
  const pageData = usePageData();
  const { timeZone } = pageData.config.business;
  const plan = planOf(pageData.settings);
  const actor = useOrderFormActor();
  // The form may stay open overnight, and a saved draft may hold a day that is over.
  const today = useSyncExternalStore(subscribeToReturn, () => todayIn(timeZone, new Date()));
  const fullDays = useFullDays(plan.mostPerDay !== null, today);
  // biome-ignore lint/correctness/useExhaustiveDependencies: on each new day.
  useEffect(() => void dropRefusedDay(actor, pageData, fullDays), [actor, pageData, today, fullDays]);
  const days = daysOfPickup(plan, today, fullDays);
  return (
    <Choice
      field="pickupDay"
      hint={days.length === 0 ? pickupTexts.noDay : undefined}
      options={[['', cartTexts.anyDay], ...days.map((day) => [day, dayText(day)] as const)]}
    />
  );
}

const none: readonly string[] = [];

/** None while it is not known: the server refuses a full day with the quote, after which they are asked for again. */
function useFullDays(isLimited: boolean, today: string): readonly string[] {
  const [fullDays, setFullDays] = useState(none);
  const failure = useOrderForm(({ context }) => context.failure);
  // biome-ignore lint/correctness/useExhaustiveDependencies: on each new day and after a refusal.
  useEffect(() => {
    if (!isLimited) return;
    const left = new AbortController();
    void request({ ...call('GET /api/pickup-days', { answer: pickupDays }), signal: left.signal }).then((answer) => {
      if (answer.ok) setFullDays(answer.value.body.fullDays);
    });
    return () => left.abort();
  }, [isLimited, today, failure]);
  return fullDays;
}

function subscribeToReturn(returned: () => void): () => void {
  window.addEventListener('focus', returned);
  document.addEventListener('visibilitychange', returned);
  return () => {
    window.removeEventListener('focus', returned);
    document.removeEventListener('visibilitychange', returned);
  };
}

/** Of the chosen day. A time that is not driven on it becomes any time. */
function WindowField() {
  const actor = useOrderFormActor();
  const plan = planOf(usePageData().settings);
  const day = parseDay(useOrderForm(({ context }) => context.contact.pickupDay));
  const windows = day === undefined ? windowsOfAnyDay(plan) : windowsOn(plan, day);
  const chosen = useOrderForm(({ context }) => context.contact.pickupWindow);
  const isOffered = chosen === '' || windows.some((window) => window === chosen);
  useEffect(() => {
    if (!isOffered) actor.send({ type: 'contact.typed', field: 'pickupWindow', text: '' });
  }, [actor, isOffered]);
  return (
    <Choice
      field="pickupWindow"
      options={[
        ['', cartTexts.anyTime],
        ...windows.map((window) => [window, cartTexts.pickupWindows[window]] as const),
      ]}
    />
  );
}

type ChoiceProps = {
  readonly field: 'pickupDay' | 'pickupWindow';
  readonly hint?: string | undefined;
  readonly options: readonly (readonly [value: string, text: string])[];
};

function Choice({ field, hint, options }: ChoiceProps) {
  const actor = useOrderFormActor();
  const value = useOrderForm(({ context }) => context.contact[field]);
  const error = useOrderForm(({ context }) => context.contactErrors[field]);
  return (
    <Field label={cartTexts.contactFields[field]} hint={hint} id={contactFieldId(field)} error={error}>
      {(control) => (
        <select
          {...control}
          name={field}
          value={value}
          onChange={({ target }) => actor.send({ type: 'contact.typed', field, text: target.value })}
        >
          {options.map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function NoteField() {
  const actor = useOrderFormActor();
  const value = useOrderForm(({ context }) => context.contact.driverNote);
  const error = useOrderForm(({ context }) => context.contactErrors.driverNote);
  return (
    <Field
      label={cartTexts.contactFields.driverNote}
      hint={cartTexts.driverNoteHint}
      id={contactFieldId('driverNote')}
      error={error}
    >
      {(control) => (
        <textarea
          {...control}
          name="driverNote"
          rows={2}
          autoComplete="off"
          value={value}
          onChange={({ target }) => actor.send({ type: 'contact.typed', field: 'driverNote', text: target.value })}
          onBlur={() => actor.send({ type: 'contact.left', field: 'driverNote' })}
        />
      )}
    </Field>
  );
}
