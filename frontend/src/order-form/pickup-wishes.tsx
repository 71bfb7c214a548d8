import { pickupWindows } from '@kilim/domain/contact';
import { useEffect, useSyncExternalStore } from 'react';
import { usePageData } from '../shared/page-data.ts';
import { Field } from '../shared/ui/text-field.tsx';
import styles from './contact-section.module.css';
import { contactFieldId } from './form-problems.ts';
import { useOrderForm, useOrderFormActor } from './order-form-actor.ts';
import { daysOfPickup, dropPastDay, todayIn } from './pickup-days.ts';
import { orderFormTexts } from './texts.ts';

/** All of it may stay empty. */
export function PickupWishes() {
  return (
    <fieldset className={styles.wishes}>
      <legend className={styles.legend}>{orderFormTexts.wishesHeading}</legend>
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
  const { timeZone } = usePageData().config.business;
  const actor = useOrderFormActor();
  // The form may stay open overnight, and a saved draft may hold a day that is over.
  const today = useSyncExternalStore(subscribeToReturn, () => todayIn(timeZone, new Date()));
  // biome-ignore lint/correctness/useExhaustiveDependencies: on each new day.
  useEffect(() => void dropPastDay(actor, timeZone), [actor, timeZone, today]);
  return (
    <Choice
      field="pickupDay"
      options={[['', orderFormTexts.anyDay], ...daysOfPickup(today).map(({ day, text }) => [day, text] as const)]}
    />
  );
}

function subscribeToReturn(returned: () => void): () => void {
  window.addEventListener('focus', returned);
  document.addEventListener('visibilitychange', returned);
  return () => {
    window.removeEventListener('focus', returned);
    document.removeEventListener('visibilitychange', returned);
  };
}

function WindowField() {
  return (
    <Choice
      field="pickupWindow"
      options={[
        ['', orderFormTexts.anyTime],
        ...pickupWindows.map((window) => [window, orderFormTexts.pickupWindows[window]] as const),
      ]}
    />
  );
}

type ChoiceProps = {
  readonly field: 'pickupDay' | 'pickupWindow';
  readonly options: readonly (readonly [value: string, text: string])[];
};

function Choice({ field, options }: ChoiceProps) {
  const actor = useOrderFormActor();
  const value = useOrderForm(({ context }) => context.contact[field]);
  const error = useOrderForm(({ context }) => context.contactErrors[field]);
  return (
    <Field label={orderFormTexts.contactFields[field]} id={contactFieldId(field)} error={error}>
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
      label={orderFormTexts.contactFields.driverNote}
      hint={orderFormTexts.driverNoteHint}
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
