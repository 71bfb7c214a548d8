import { usePageData } from '../shared/page-data.ts';
import styles from './checkout.module.css';
import { plainText } from './plain-text.ts';
import { checkoutTexts } from './texts.ts';

const { terms } = checkoutTexts;

/** The business's own terms from its settings, or else ours: terms of service and privacy policy, to unfold on the spot. */
export function Terms() {
  const { settings } = usePageData();
  const own = plainText(settings.terms);
  return (
    <div className={styles.terms}>
      {own !== '' ? (
        <>
          <p>{terms.ownAgreement}</p>
          <p className={styles.ownTerms}>{own}</p>
        </>
      ) : (
        <>
          <p>{terms.agreement}</p>
          <Unfold title={terms.serviceTitle} sentences={terms.service} />
          <Unfold title={terms.privacyTitle} sentences={terms.privacy} />
        </>
      )}
    </div>
  );
}

function Unfold({ title, sentences }: { readonly title: string; readonly sentences: readonly string[] }) {
  return (
    <details className={styles.unfold}>
      <summary>{title}</summary>
      <ul>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </details>
  );
}
