import { pickupPlan } from '@kilim/bff/contract/pickup-plan';
import { type Day, parseDay } from '@kilim/domain/day';
import { builtInPickupPlan, daysOfPickup, type PickupPlan, unservedText } from '@kilim/domain/pickup-plan';
import type { PageData } from '../shared/page-data.ts';
import type { Settings } from '../shared/settings.ts';
import { contactFieldId } from './form-problems.ts';
import type { OrderFormActor, OrderFormSnapshot } from './order-form-actor.ts';

export function todayIn(timeZone: string, now: Date): Day {
  const text = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(now);
  const day = parseDay(text);
  if (day === undefined) throw new RangeError(`${text} is no day`);
  return day;
}

/** `Wednesday, November 25` */
export function dayText(day: string): string {
  const words = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', weekday: 'long', month: 'long', day: 'numeric' });
  return words.format(new Date(`${day}T12:00:00Z`));
}

const parsed = new WeakMap<Settings, PickupPlan>();

/** A page that was loaded before an upgrade has none. The same settings give the same plan. */
export function planOf(settings: Settings): PickupPlan {
  const plan = parsed.get(settings) ?? pickupPlan.safeParse(settings.given['pickupPlan']).data ?? builtInPickupPlan;
  parsed.set(settings, plan);
  return plan;
}

/** The ZIP code of the cart, in a sentence, if the shop does not drive there. */
export function unservedIn({ context }: OrderFormSnapshot, { config, settings }: PageData): string | undefined {
  if (context.deliveryOption !== 'pickup') return undefined;
  return unservedText(context.contact.zipCode, { plan: planOf(settings), ...config.business });
}

/**
 * A wished day that is not offered becomes any day, and its field says so.
 * @returns whether it did: then the customer reads it before the order is sent.
 */
export function dropRefusedDay(
  actor: OrderFormActor,
  { config, settings }: PageData,
  fullDays: readonly string[] = [],
): boolean {
  const { contact, deliveryOption } = actor.getSnapshot().context;
  const { pickupDay: chosen } = contact;
  if (deliveryOption !== 'pickup' || chosen === '') return false;
  const days = daysOfPickup(planOf(settings), todayIn(config.business.timeZone, new Date()), fullDays);
  if (days.some((day) => day === chosen)) return false;
  actor.send({ type: 'pickupDay.passed', day: dayText(chosen) });
  return true;
}

/**
 * Before the order is sent, with the focus on the field that stops it. Only the server knows which days are full by
 * now.
 */
export function stopsAtPickup(actor: OrderFormActor, pageData: PageData): boolean {
  const isElsewhere = unservedIn(actor.getSnapshot(), pageData) !== undefined;
  const stops = isElsewhere || dropRefusedDay(actor, pageData);
  if (stops) document.getElementById(contactFieldId(isElsewhere ? 'zipCode' : 'pickupDay'))?.focus();
  return stops;
}
