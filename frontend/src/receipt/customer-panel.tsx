import { formatPhone } from '@kilim/domain/format-phone';
import type { ReactNode } from 'react';
import { addressText } from '../shared/address-text.ts';
import { Panel } from '../shared/ui/panel.tsx';
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
        <Row term={receiptTexts.name}>{name}</Row>
        <Row term={receiptTexts.phone}>{formatPhone(phone)}</Row>
        {isPickup && <Row term={receiptTexts.address}>{addressText(customer)}</Row>}
        {isPickup && driverNote !== '' && <Row term={receiptTexts.driverNote}>{driverNote}</Row>}
      </dl>
    </Panel>
  );
}

function Row({ term, children }: { readonly term: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
