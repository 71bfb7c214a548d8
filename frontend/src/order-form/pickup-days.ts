import { latestPickupDays } from '@kilim/domain/contact';
import { contactFieldId } from './form-problems.ts';
import type { OrderFormActor } from './order-form-actor.ts';

export type DayOfPickup = {
  /** `2026-11-25` */
  readonly day: string;
  /** `Wednesday, November 25` */
  readonly text: string;
};

export function todayIn(timeZone: string, now: Date): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(now);
}

/** @param today in the shop's time zone. The first day is tomorrow. */
export function daysOfPickup(today: string): readonly DayOfPickup[] {
  return Array.from({ length: latestPickupDays }, (_, index) => {
    // Counting days at noon in UTC needs no daylight-saving time.
    const at = new Date(Date.parse(`${today}T12:00:00Z`) + (index + 1) * 24 * 60 * 60 * 1000);
    const day = at.toISOString().slice(0, 10);
    return { day, text: dayText(day) };
  });
}

function dayText(day: string): string {
  const words = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', weekday: 'long', month: 'long', day: 'numeric' });
  return words.format(new Date(`${day}T12:00:00Z`));
}

/**
 * A wished day that is no longer offered becomes any day, and its field says so.
 * @returns whether it did: then the customer reads it before the order is sent.
 */
export function dropPastDay(actor: OrderFormActor, timeZone: string): boolean {
  const { contact, deliveryOption } = actor.getSnapshot().context;
  const { pickupDay: chosen } = contact;
  const days = daysOfPickup(todayIn(timeZone, new Date()));
  if (deliveryOption !== 'pickup' || chosen === '' || days.some(({ day }) => day === chosen)) return false;
  actor.send({ type: 'pickupDay.passed', day: dayText(chosen) });
  return true;
}

/** As `dropPastDay`, with the focus on the field. */
export function stopsAtPastDay(actor: OrderFormActor, timeZone: string): boolean {
  const stops = dropPastDay(actor, timeZone);
  if (stops) document.getElementById(contactFieldId('pickupDay'))?.focus();
  return stops;
}
