import { formatPhone } from '@kilim/domain/format-phone';
import { addressOf } from '../shared/call.ts';
import { usePageData } from '../shared/page-data.ts';
import { buttonClass } from '../shared/ui/button.tsx';
import { PhoneLink } from '../shared/ui/page.tsx';
import { SiteName } from '../shared/ui/site-name.tsx';
import styles from './receipt.module.css';
import type { Receipt } from './receipt.ts';
import { receiptTexts } from './texts.ts';

type NextStepsProps = { readonly receipt: Receipt; readonly paymentId: string };

export function NextSteps({ receipt, paymentId }: NextStepsProps) {
  const { business } = usePageData().config;
  const { deliveryOption, agreedPickup, customer, source } = receipt;
  const isPickup = deliveryOption === 'pickup';
  const pickup = agreedPickup ?? customer;
  const day = pickupText(pickup);
  const hasDay = !isPickup || pickup.pickupDay !== '';
  return (
    <>
      {isPickup ? (
        <>
          {agreedPickup === undefined && (
            <p>
              {receiptTexts.pickup} <span className={styles.together}>{receiptTexts.pickupWithin}</span>{' '}
              {customer.phone !== '' && receiptTexts.weCall(formatPhone(customer.phone))}
            </p>
          )}
          {day !== undefined && (
            <p>
              {agreedPickup === undefined ? receiptTexts.wish : receiptTexts.agreed} <strong>{day}</strong>.
            </p>
          )}
        </>
      ) : (
        <DropOff />
      )}
      {/* The server makes the entry, so it needs the order in the ledger. */}
      {hasDay && source === 'ledger' && (
        <p className={styles.calendar}>
          <a
            className={buttonClass(isPickup ? 'primary' : 'secondary')}
            href={addressOf('GET /api/orders/payment/:paymentId/calendar', { params: { paymentId } })}
          >
            {receiptTexts.calendar}
          </a>
        </p>
      )}
      {business.phone !== '' && (
        <p className={styles.call}>
          {receiptTexts.call} <PhoneLink phone={business.phone} />
        </p>
      )}
    </>
  );
}

const dayFormat = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', weekday: 'long', month: 'long', day: 'numeric' });

function pickupText({ pickupDay, pickupWindow }: NonNullable<Receipt['agreedPickup']>): string | undefined {
  if (pickupDay === '' && pickupWindow === '') return undefined;
  const day = new Date(`${pickupDay}T12:00:00Z`);
  const dayText = Number.isNaN(day.getTime()) ? receiptTexts.anyDay : dayFormat.format(day);
  return [dayText, receiptTexts.windows[pickupWindow]].filter((part) => part !== undefined).join(' ');
}

function DropOff() {
  const { business } = usePageData().config;
  return (
    <>
      <p>{business.dropOffSites.length === 2 ? receiptTexts.dropOff : receiptTexts.dropOffOtherwise}</p>
      <ul className={styles.sites}>
        {business.dropOffSites.map(({ name, note, address, hours, link }) => (
          <li key={name}>
            <SiteName name={name} link={link} />
            <span>{[note, address, hours].filter(Boolean).join(', ')}</span>
            {address !== undefined && (
              <a
                href={`https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(address)}`}
                className={buttonClass(business.dropOffSites.length === 1 ? 'primary' : 'secondary')}
                aria-label={receiptTexts.directionsTo(name)}
                target="_blank"
                rel="noopener noreferrer"
              >
                {receiptTexts.directions}
              </a>
            )}
          </li>
        ))}
      </ul>
      {business.bookingUrl !== '' && (
        <p>
          <a href={business.bookingUrl} target="_blank" rel="noopener noreferrer">
            {receiptTexts.book}
          </a>
        </p>
      )}
    </>
  );
}
