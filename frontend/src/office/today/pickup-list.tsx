import type { TodayPickup } from '@kilim/bff/contract/today';
import { formatPhone } from '@kilim/domain/format-phone';
import { Link } from '@tanstack/react-router';
import { Button } from 'antd';
import { addressText } from '../../shared/address-text.ts';
import { orderNumberText } from '../../shared/order-number.ts';
import { AgreePickup } from '../shared/pickup/agree-pickup.tsx';
import { pickupTexts } from '../shared/pickup/texts.ts';
import { wishText } from '../shared/pickup/wish-text.ts';
import { useMay } from '../shared/session/current-session.tsx';
import cards from '../shared/ui/card.module.css';
import { MapLink } from '../shared/ui/contact-links.tsx';
import { todayTexts as texts } from './texts.ts';
import styles from './today.module.css';

type PickupListProps = { readonly label: string; readonly pickups: readonly TodayPickup[] };

/** To call: with the wish; the others with what the driver needs. */
export function PickupList({ label, pickups }: PickupListProps) {
  const mayAgree = useMay('writeNotes');
  return (
    <ul className={styles.rows} aria-label={label}>
      {pickups.map((pickup) => (
        <li key={pickup._id} className={styles.row}>
          <div>
            <p>
              <strong>{pickup.customerInfo?.name ?? texts.erased}</strong>, {texts.rugs(pickup.rugCount)},{' '}
              <Link to="/admin/orders/$orderId" params={{ orderId: pickup._id }} className={styles.number}>
                {texts.order(orderNumberText(pickup._id))}
              </Link>
            </p>
            {pickup.agreedPickup === null ? <Wish pickup={pickup} /> : <Drive customer={pickup.customerInfo} />}
          </div>
          <div className={styles.actions}>
            <Call customer={pickup.customerInfo} />
            {mayAgree && <AgreePickup order={pickup} label={texts.agree} />}
          </div>
        </li>
      ))}
    </ul>
  );
}

function Wish({ pickup: { customerInfo: customer } }: { readonly pickup: TodayPickup }) {
  const town = [customer?.city, customer?.zipCode].filter(Boolean).join(' ');
  const wish = wishText(customer, pickupTexts.noWishInSentence);
  return <p className={cards.soft}>{[town, texts.wish(wish)].filter(Boolean).join('. ')}</p>;
}

type CustomerProps = { readonly customer: TodayPickup['customerInfo'] };

/** Nothing for who brings the rugs, or does not see contacts. */
export function Drive({ customer }: CustomerProps) {
  if (customer === null || customer.address === '') return null;
  return (
    <>
      <p>
        <MapLink address={addressText(customer)} />
      </p>
      {customer.driverNote !== '' && <p>{texts.driverNote(customer.driverNote)}</p>}
    </>
  );
}

/** A masked number cannot be called. */
function Call({ customer }: CustomerProps) {
  if (customer === null || customer.phone === '') return null;
  const phone = formatPhone(customer.phone);
  return (
    <Button type="primary" href={`tel:+1${customer.phone}`} aria-label={texts.callOf(phone, customer.name)}>
      {texts.call(phone)}
    </Button>
  );
}
