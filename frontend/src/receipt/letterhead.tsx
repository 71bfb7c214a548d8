import { usePageData } from '../shared/page-data.ts';
import styles from './receipt.module.css';
import { receiptTexts } from './texts.ts';

/** Who took the money, on paper only: on the screen the page's own header says it. */
export function Letterhead() {
  const { name, phone } = usePageData().config.business;
  return (
    <div className={styles.letterhead}>
      <div>
        <p className={styles.business}>{name}</p>
        <p>{phone}</p>
      </div>
      <p className={styles.printedHeading}>{receiptTexts.printedHeading}</p>
    </div>
  );
}
