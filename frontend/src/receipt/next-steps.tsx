import type { DeliveryOption } from '@kilim/domain/quote';
import { usePageData } from '../shared/page-data.ts';
import { PhoneLink } from '../shared/ui/page.tsx';
import styles from './receipt.module.css';
import { receiptTexts } from './texts.ts';

/** Tells the customer to bring the rugs or to wait for our call. */
export function NextSteps({ deliveryOption }: { readonly deliveryOption: DeliveryOption }) {
  const { business } = usePageData().config;
  return (
    <>
      {deliveryOption === 'pickup' ? (
        <p>
          {receiptTexts.pickup} <span className={styles.together}>{receiptTexts.pickupWithin}</span>
        </p>
      ) : (
        <>
          <p>{business.dropOffSites.length === 2 ? receiptTexts.dropOff : receiptTexts.dropOffOtherwise}</p>
          <ul className={styles.sites}>
            {business.dropOffSites.map(({ name, note }) => (
              <li key={name}>
                <strong>{name}</strong>
                <span>{note}</span>
              </li>
            ))}
          </ul>
          <p>
            <a href={business.bookingUrl} target="_blank" rel="noopener noreferrer">
              {receiptTexts.book}
            </a>
          </p>
        </>
      )}
      <p className={styles.call}>
        {receiptTexts.call} <PhoneLink phone={business.phone} />
      </p>
    </>
  );
}
