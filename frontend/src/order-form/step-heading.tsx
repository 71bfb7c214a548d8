import { sharedTexts } from '../shared/texts.ts';
import { usePageTitle } from '../shared/use-page-title.ts';
import type { Step } from './draft.ts';
import styles from './order-form.module.css';
import { orderFormTexts } from './texts.ts';
import { stepHeadingId } from './use-notices.ts';

const headings: Readonly<Record<Step, string>> = {
  rugs: orderFormTexts.rugsHeading,
  cart: orderFormTexts.cartHeading,
};

export function StepHeading({ step, failed }: { readonly step: Step; readonly failed: boolean }) {
  usePageTitle(`${failed ? sharedTexts.errorTitlePrefix : ''}${orderFormTexts.pageTitle[step]}`);
  // The cart stands alone on the page.
  const Heading = step === 'cart' ? 'h1' : 'h2';
  return (
    <header>
      <p className={styles.eyebrow}>{orderFormTexts.stepOf[step]}</p>
      <Heading id={stepHeadingId} tabIndex={-1} className={styles.heading}>
        {headings[step]}
      </Heading>
    </header>
  );
}
