import type { ContactField } from '@kilim/domain/contact';
import emailSpellChecker from '@zootools/email-spell-checker';
import { type ComponentProps, type KeyboardEvent, useState } from 'react';
import { afterPress } from '../shared/after-press.ts';
import { usePageData } from '../shared/page-data.ts';
import { Button } from '../shared/ui/button.tsx';
import { Panel } from '../shared/ui/panel.tsx';
import { FieldError, TextField } from '../shared/ui/text-field.tsx';
import { cartTexts } from './cart-texts.ts';
import styles from './contact-section.module.css';
import { ExpressOffer } from './express-offer.tsx';
import { contactFieldId, contactProblems } from './form-problems.ts';
import { useOrderForm, useOrderFormActor } from './order-form-actor.ts';
import { unservedIn } from './pickup-days.ts';
import { pickupTexts } from './pickup-texts.ts';
import { PickupWishes } from './pickup-wishes.tsx';
import { deliveryOptionOf } from './selectors.ts';

export function ContactSection() {
  const deliveryOption = useOrderForm(deliveryOptionOf);
  const wrong = useOrderForm(
    ({ context }) => contactProblems(context.contactErrors, context.deliveryOption).length > 0,
  );
  return (
    <Panel
      headingId="contact-title"
      name={cartTexts.contact}
      title={
        <>
          {cartTexts.contact}
          {wrong && <span className={styles.review}>{cartTexts.contactReview}</span>}
        </>
      }
    >
      {deliveryOption === 'pickup' && (
        <>
          <ZipCodeBox />
          <PickupWishes />
        </>
      )}
      <ExpressOffer />
      <div className={styles.fields}>
        <ContactBox field="name" />
        <EmailBox />
        <ContactBox field="phone" hint={cartTexts.phoneHint} />
      </div>
      {deliveryOption === 'pickup' && (
        <fieldset className={styles.address}>
          <legend className={styles.legend}>{cartTexts.addressHeading}</legend>
          <div className={styles.fields}>
            <ContactBox field="address" />
            <ContactBox field="addressLine2" />
            <div className={styles.place}>
              <ContactBox field="city" />
              <ContactBox field="state" />
            </div>
          </div>
        </fieldset>
      )}
    </Panel>
  );
}

/** First of all, because the shop may not drive there: it says so before the customer types more. */
function ZipCodeBox() {
  const actor = useOrderFormActor();
  const pageData = usePageData();
  const unserved = useOrderForm((snapshot) => unservedIn(snapshot, pageData));
  const messageId = 'zip-code-unserved';
  const chooseDropOff = () => {
    actor.send({ type: 'delivery.chosen', option: 'dropoff' });
    document.getElementById('delivery-dropoff')?.focus();
  };
  return (
    <div className={styles.area}>
      <ContactBox
        field="zipCode"
        hint={pickupTexts.zipCodeHint}
        messageId={unserved === undefined ? undefined : messageId}
      />
      <div role="status">
        {unserved !== undefined && (
          <>
            <FieldError id={messageId} message={unserved} />
            <Button variant="secondary" onClick={chooseDropOff}>
              {pickupTexts.chooseDropOff}
            </Button>
          </>
        )}
      </div>
    </div>
  );
}

/** Suggests a correction of `gmial.com` and the like: the receipt goes to this address. */
function EmailBox() {
  const actor = useOrderFormActor();
  const typed = useOrderForm(({ context }) => context.contact.email);
  const [left, setLeft] = useState('');
  const suggested = left === typed ? emailSpellChecker.run({ email: typed.trim() })?.full : undefined;
  return (
    <div>
      <ContactBox field="email" hint={cartTexts.emailHint} onLeft={() => setLeft(typed)} />
      <div role="status">
        {suggested !== undefined && (
          <p className={styles.suggestion}>
            {cartTexts.didYouMean}{' '}
            <Button
              variant="quiet"
              onClick={() => {
                actor.send({ type: 'contact.typed', field: 'email', text: suggested });
                document.getElementById(contactFieldId('email'))?.focus();
              }}
            >
              {suggested}
            </Button>
          </p>
        )}
      </div>
    </div>
  );
}

/** One line of text each; `pickup-wishes.tsx` has the others. */
type LineField = Exclude<ContactField, 'pickupDay' | 'pickupWindow' | 'driverNote'>;

/** For autofill and the phone's keyboard, without correction of names. */
const inputAttributes: Readonly<Record<LineField, ComponentProps<'input'>>> = {
  name: { autoComplete: 'name', autoCapitalize: 'words', spellCheck: false },
  email: { type: 'email', autoComplete: 'email', autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false },
  phone: { type: 'tel', autoComplete: 'tel-national', inputMode: 'tel' },
  address: { autoComplete: 'address-line1', autoCapitalize: 'words', spellCheck: false },
  addressLine2: { autoComplete: 'address-line2', autoCapitalize: 'words', spellCheck: false },
  city: { autoComplete: 'address-level2', autoCapitalize: 'words', spellCheck: false },
  state: { autoComplete: 'address-level1', autoCapitalize: 'characters', spellCheck: false },
  zipCode: { autoComplete: 'postal-code', inputMode: 'numeric', spellCheck: false },
};

/** There the keyboard offers to go on, not to go to the next field. */
const lastFields = { dropoff: 'phone', pickup: 'state' } as const;

/** On a phone's keyboard: its key says so, and iOS would submit the form. */
function goToNext(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key !== 'Enter' || event.nativeEvent.isComposing || !matchMedia('(pointer: coarse)').matches) return;
  event.preventDefault();
  const { form } = event.currentTarget;
  const fields = [...(form?.querySelectorAll<HTMLElement>('input:not([type="radio"]), select, textarea') ?? [])];
  fields[fields.indexOf(event.currentTarget) + 1]?.focus();
}

type ContactBoxProps = {
  readonly field: LineField;
  readonly hint?: string;
  /** The id of a message elsewhere, which replaces the field's own. */
  readonly messageId?: string | undefined;
  readonly onLeft?: () => void;
};

function ContactBox({ field, hint, messageId, onLeft }: ContactBoxProps) {
  const actor = useOrderFormActor();
  const value = useOrderForm(({ context }) => context.contact[field]);
  const error = useOrderForm(({ context }) => context.contactErrors[field]);
  const isLast = lastFields[useOrderForm(deliveryOptionOf)] === field;
  return (
    <TextField
      {...inputAttributes[field]}
      id={contactFieldId(field)}
      name={field}
      label={cartTexts.contactFields[field]}
      hint={hint}
      value={value}
      error={messageId === undefined ? error : undefined}
      aria-describedby={messageId}
      aria-invalid={messageId !== undefined}
      enterKeyHint={isLast ? 'go' : 'next'}
      onKeyDown={isLast ? undefined : goToNext}
      aria-required={field !== 'addressLine2'}
      onChange={(event) => actor.send({ type: 'contact.typed', field, text: event.target.value })}
      onBlur={() =>
        afterPress(() => {
          actor.send({ type: 'contact.left', field });
          onLeft?.();
        })
      }
    />
  );
}
