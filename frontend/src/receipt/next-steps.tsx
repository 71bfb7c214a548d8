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

/** Where the rugs are, and what comes then. */
export function NextSteps({ receipt, paymentId }: NextStepsProps) {
  const { business } = usePageData().config;
  const { stage, deliveryOption } = receipt;
  return (
    <>
      {stage !== undefined && (
        <p className={styles.stage}>
          {stage === 'waiting' && deliveryOption === 'pickup'
            ? receiptTexts.waitingForPickup
            : receiptTexts.stages[stage]}
        </p>
      )}
      {(stage === undefined || stage === 'waiting') && <FirstSteps receipt={receipt} paymentId={paymentId} />}
      {stage === 'ready' &&
        (deliveryOption === 'pickup' ? <p>{receiptTexts.bringBack}</p> : <DropOff intro={receiptTexts.collect} />)}
      {business.phone !== '' && (
        <p className={styles.call}>
          {receiptTexts.call} <PhoneLink phone={business.phone} />
        </p>
      )}
    </>
  );
}

function FirstSteps({ receipt, paymentId }: NextStepsProps) {
  const { dropOffSites, bookingUrl } = usePageData().config.business;
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
        <>
          <DropOff intro={dropOffSites.length === 2 ? receiptTexts.dropOff : receiptTexts.dropOffOtherwise} />
          {bookingUrl !== '' && (
            <p>
              <a href={bookingUrl} target="_blank" rel="noopener noreferrer">
                {receiptTexts.book}
              </a>
            </p>
          )}
        </>
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

function DropOff({ intro }: { readonly intro: string }) {
  const { dropOffSites } = usePageData().config.business;
  return (
    <>
      <p>{intro}</p>
      <ul className={styles.sites}>
        {dropOffSites.map(({ name, note, address, hours, link }) => (
          <li key={name}>
            <SiteName name={name} link={link} />
            <span>{[note, address, hours].filter(Boolean).join(', ')}</span>
            {address !== undefined && (
              <a
                href={`https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(address)}`}
                className={buttonClass(dropOffSites.length === 1 ? 'primary' : 'secondary')}
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
    </>
  );
}
