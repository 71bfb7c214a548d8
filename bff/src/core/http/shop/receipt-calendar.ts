import type { Contact } from '@kilim/domain/contact';
import type { Day } from '@kilim/domain/day';
import { dayAfter, parseDay } from '@kilim/domain/day';
import { formatPickupTime } from '@kilim/domain/format-day';
import { orderNumberOf } from '@kilim/domain/order/number';
import type { BusinessDetails } from '@kilim/domain/settings/settings';
import ical, { ICalCalendarMethod, ICalEventBusyStatus, ICalEventStatus } from 'ical-generator';
import type { FoundOrder } from '../../queries/find-order.ts';

export type CalendarFacts = {
  readonly found: FoundOrder;
  /** Undefined unless this browser paid: the link of a receipt may be shared. */
  readonly contact: Contact | undefined;
  readonly business: BusinessDetails;
  readonly today: Day;
  readonly receiptUrl: string;
};

/**
 * An all-day entry for the customer's calendar: the day of the pickup, agreed or wished, or tomorrow for bringing the
 * rugs. Only an agreed day is certain.
 * @returns undefined for a pickup without a day, and for a supplement
 */
export function calendarOf({ found, contact, business, today, receiptUrl }: CalendarFacts): string | undefined {
  const { placed, kept, summary } = found;
  const number = orderNumberOf(placed.orderId);
  const isPickup = placed.deliveryOption === 'pickup';
  const wishes = kept?.contact.wishes ?? {};
  const wished = parseDay(wishes.day ?? '');
  const time = formatPickupTime(summary.pickup ?? wishes);
  const day = isPickup ? (summary.pickup?.day ?? wished) : dayAfter(today);
  if (day === undefined || placed.supplementOf !== undefined) return undefined;
  const calendar = ical({ name: business.name, method: ICalCalendarMethod.PUBLISH });
  calendar.createEvent({
    id: `${placed.orderId}@${new URL(receiptUrl).hostname}`,
    start: day,
    // Some programs show an all-day entry without an end as one of no length.
    end: dayAfter(day),
    allDay: true,
    summary: isPickup ? `Rug pickup by ${business.name}` : `Bring the rugs to ${business.name}`,
    description: [`Order ${number}`, ...(isPickup ? [time] : business.dropOffSites.map(siteText)), business.phone]
      .filter((line) => line !== undefined && line !== '')
      .join('\n'),
    location: isPickup ? addressText(contact) : (business.dropOffSites[0]?.address ?? null),
    url: receiptUrl,
    status: summary.pickup === undefined ? ICalEventStatus.TENTATIVE : ICalEventStatus.CONFIRMED,
    busystatus: ICalEventBusyStatus.FREE,
  });
  return calendar.toString();
}

function siteText({ name, note, address, hours }: BusinessDetails['dropOffSites'][number]): string {
  return [name, address, hours, note].filter((part) => part !== undefined && part !== '').join(', ');
}

function addressText(contact: Contact | undefined): string | null {
  if (contact?.address === undefined) return null;
  const { street, unit, city, state, zipCode } = contact.address;
  return [street, ...(unit === undefined ? [] : [unit]), city, `${state} ${zipCode}`].join(', ');
}
