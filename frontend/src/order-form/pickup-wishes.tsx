import { pickupWindows } from '@kilim/domain/contact';
import { usePageData } from '../shared/page-data.ts';
import { Field } from '../shared/ui/text-field.tsx';
import styles from './contact-section.module.css';
import { contactFieldId } from './form-problems.ts';
import { useOrderForm, useOrderFormActor } from './order-form-actor.ts';
import { daysOfPickup } from './pickup-days.ts';
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
  const chosen = useOrderForm(({ context }) => context.contact.pickupDay);
  // When the server refuses a day, the form has stayed open overnight: the days are computed again.
  useOrderForm(({ context }) => context.contactErrors.pickupDay);
  const days = daysOfPickup(new Date(), timeZone);
  // A saved draft may hold a day that is over.
  const offered =
    days.some(({ day }) => day === chosen) || chosen === '' ? days : [...days, { day: chosen, text: chosen }];
  return (
    <Choice
      field="pickupDay"
      options={[['', orderFormTexts.anyDay], ...offered.map(({ day, text }) => [day, text] as const)]}
    />
  );
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
