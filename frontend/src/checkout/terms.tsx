import { useState } from 'react';
import { usePageData } from '../shared/page-data.ts';
import styles from './checkout.module.css';
import type { PolicyName } from './policy-texts.ts';
import { checkoutTexts } from './texts.ts';
import { useDeferredPart } from './use-deferred-part.ts';

/** From the settings, or links to the built-in ones. */
export function Terms() {
  const { settings } = usePageData();
  // Shown until the markup renderer is loaded; empty without terms.
  const words = settings.terms.replaceAll(/<[^<>]*>/g, ' ').trim();
  const BusinessTerms = useDeferredPart('BusinessTerms', words !== '');
  if (words === '') return <BuiltInTerms />;
  return (
    <div className={styles.terms}>
      <p>{checkoutTexts.ownTerms}</p>
      {BusinessTerms === undefined ? <p>{words}</p> : <BusinessTerms markup={settings.terms} />}
    </div>
  );
}

/** The links expand the text, so that the customer does not leave the checkout. */
function BuiltInTerms() {
  const [shown, setShown] = useState<PolicyName>();
  const Policy = useDeferredPart('Policy', shown !== undefined);
  const linkTo = (name: PolicyName) => (
    <a
      href={`#${name}`}
      aria-expanded={shown === name}
      onClick={(event) => {
        // A history entry would come between the checkout and the previous page.
        event.preventDefault();
        setShown(shown === name ? undefined : name);
      }}
    >
      {checkoutTexts[name]}
    </a>
  );
  return (
    <div className={styles.terms}>
      <p>
        {checkoutTexts.terms} {linkTo('termsOfService')} {checkoutTexts.and} {linkTo('privacyPolicy')}.
      </p>
      {Policy !== undefined && shown !== undefined && <Policy name={shown} />}
    </div>
  );
}
