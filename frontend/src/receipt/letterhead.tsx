import { usePageData } from '../shared/page-data.ts';
import styles from './receipt.module.css';
import { receiptTexts } from './texts.ts';

/** The business's name and phone, for print only. On the screen, the page's header shows them. */
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
