import { formatPhone } from '@kilim/domain/format-phone';
import { addressText } from '../shared/address-text.ts';
import { Panel } from '../shared/ui/panel.tsx';
import { Fact } from './payment-facts.tsx';
import styles from './receipt.module.css';
import type { Receipt } from './receipt.ts';
import { receiptTexts } from './texts.ts';

/** Only for the browser that paid: others get no telephone number. */
export function CustomerPanel({ receipt: { customer, deliveryOption } }: { readonly receipt: Receipt }) {
  if (customer.phone === '') return null;
  const { name, phone, driverNote } = customer;
  const isPickup = deliveryOption === 'pickup';
  return (
    <Panel title={receiptTexts.customerTitle} headingId="receipt-customer" className={styles.customer}>
      <dl className={styles.facts}>
        <Fact term={receiptTexts.name}>{name}</Fact>
        <Fact term={receiptTexts.phone}>{formatPhone(phone)}</Fact>
        {isPickup && <Fact term={receiptTexts.address}>{addressText(customer)}</Fact>}
        {isPickup && driverNote !== '' && (
          <Fact term={receiptTexts.driverNote} className={styles.note}>
            {driverNote}
          </Fact>
        )}
      </dl>
    </Panel>
  );
}
