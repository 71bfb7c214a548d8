import { usePageData } from '../shared/page-data.ts';
import { sharedTexts } from '../shared/texts.ts';
import { usePageTitle } from '../shared/use-page-title.ts';
import type { Step } from './draft.ts';
import styles from './order-form.module.css';
import { orderFormTexts } from './texts.ts';
import { stepHeadingId } from './use-notices.ts';

const words: Readonly<Record<Step, { readonly heading: string; readonly introduction: string }>> = {
  rugs: { heading: orderFormTexts.rugsHeading, introduction: orderFormTexts.rugsIntroduction },
  cart: { heading: orderFormTexts.cartHeading, introduction: orderFormTexts.cartIntroduction },
};

export function StepHeading({ step, failed }: { readonly step: Step; readonly failed: boolean }) {
  const { name } = usePageData().config.business;
  usePageTitle(`${failed ? sharedTexts.errorTitlePrefix : ''}${orderFormTexts.pageTitle[step]} | ${name}`);
  return (
    <header>
      <p className={styles.eyebrow}>{orderFormTexts.stepOf[step]}</p>
      <h2 id={stepHeadingId} tabIndex={-1} className={styles.heading}>
        {words[step].heading}
      </h2>
      <p className={styles.introduction}>{words[step].introduction}</p>
    </header>
  );
}
