import type { ContactField } from '@kilim/domain/contact';
import type { ComponentProps } from 'react';
import { afterPress } from '../shared/after-press.ts';
import { Panel } from '../shared/ui/panel.tsx';
import { TextField } from '../shared/ui/text-field.tsx';
import styles from './contact-section.module.css';
import { contactFieldId, contactProblems } from './form-problems.ts';
import { useOrderForm, useOrderFormActor } from './order-form-actor.ts';
import { deliveryOptionOf } from './selectors.ts';
import { orderFormTexts } from './texts.ts';

export function ContactSection() {
  const deliveryOption = useOrderForm(deliveryOptionOf);
  const wrong = useOrderForm(
    ({ context }) => contactProblems(context.contactErrors, context.deliveryOption).length > 0,
  );
  return (
    <Panel
      headingId="contact-title"
      level={3}
      name={orderFormTexts.contact}
      title={
        <>
          {orderFormTexts.contact}
          {wrong && <span className={styles.review}>{orderFormTexts.contactReview}</span>}
        </>
      }
    >
      <div className={styles.fields}>
        <ContactBox field="name" />
        <ContactBox field="email" hint={orderFormTexts.emailHint} />
        <ContactBox field="phone" hint={orderFormTexts.phoneHint} />
      </div>
      {deliveryOption === 'pickup' && (
        <fieldset className={styles.address}>
          <legend className={styles.legend}>{orderFormTexts.addressHeading}</legend>
          <div className={styles.fields}>
            <ContactBox field="address" />
            <div className={styles.place}>
              <ContactBox field="city" />
              <ContactBox field="state" />
              <ContactBox field="zipCode" />
            </div>
          </div>
        </fieldset>
      )}
    </Panel>
  );
}

/** Attributes for autofill and the phone's keyboard. They also turn off the correction of names. */
const inputAttributes: Readonly<Record<ContactField, ComponentProps<'input'>>> = {
  name: { autoComplete: 'name', autoCapitalize: 'words', spellCheck: false },
  email: { type: 'email', autoComplete: 'email', autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false },
  phone: { type: 'tel', autoComplete: 'tel-national', inputMode: 'tel' },
  address: { autoComplete: 'street-address', autoCapitalize: 'words', spellCheck: false },
  city: { autoComplete: 'address-level2', autoCapitalize: 'words', spellCheck: false },
  state: { autoComplete: 'address-level1', autoCapitalize: 'characters', spellCheck: false },
  zipCode: { autoComplete: 'postal-code', inputMode: 'numeric', spellCheck: false },
};

function ContactBox({ field, hint }: { readonly field: ContactField; readonly hint?: string }) {
  const actor = useOrderFormActor();
  const value = useOrderForm(({ context }) => context.contact[field]);
  const error = useOrderForm(({ context }) => context.contactErrors[field]);
  return (
    <TextField
      {...inputAttributes[field]}
      id={contactFieldId(field)}
      name={field}
      label={orderFormTexts.contactFields[field]}
      hint={hint}
      value={value}
      error={error}
      aria-required
      onChange={(event) => actor.send({ type: 'contact.typed', field, text: event.target.value })}
      onBlur={() => afterPress(() => actor.send({ type: 'contact.left', field }))}
    />
  );
}
