import { useState } from 'react';
import { usePageData } from '../shared/page-data.ts';
import styles from './checkout.module.css';
import type { PolicyName } from './policy-texts.ts';
import { checkoutTexts } from './texts.ts';
import { useLater } from './use-later.ts';

/**
 * The business's own terms from its settings, or else links to ours: terms of service and privacy
 * policy.
 */
export function Terms() {
  const { settings } = usePageData();
  // The bare words, until the part is there that knows markup; and to tell whether there are any.
  const words = settings.terms.replaceAll(/<[^>]*>/g, ' ').trim();
  const OwnTerms = useLater('OwnTerms', words !== '');
  if (words === '') return <BuiltInTerms />;
  return (
    <div className={styles.terms}>
      <p>{checkoutTexts.ownTerms}</p>
      {OwnTerms === undefined ? <p>{words}</p> : <OwnTerms markup={settings.terms} />}
    </div>
  );
}

/** What the links lead to unfolds on the spot: nobody leaves a payment to read about it. */
function BuiltInTerms() {
  const [shown, setShown] = useState<PolicyName>();
  const Policy = useLater('Policy', shown !== undefined);
  const linkTo = (name: PolicyName) => (
    <a
      href={`#${name}`}
      aria-expanded={shown === name}
      onClick={(event) => {
        // The address stays the checkout's: a step of its own would stand between here and the way
        // back.
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
