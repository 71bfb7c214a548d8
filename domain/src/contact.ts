import type { DeliveryOption } from './catalog.ts';
import { type Day, daysFrom, parseDay } from './day.ts';
import { ok, type Result, rejected } from './result.ts';

/** Personal data: kept beside the ledger, never in an event, a log or a URL. */
export type Contact = {
  readonly name: string;
  readonly email: string;
  /** Ten digits. */
  readonly phone: string;
  /** For pickup only. */
  readonly address?: PostalAddress;
  /** For pickup only. */
  readonly wishes?: PickupWishes;
};

export type PostalAddress = {
  readonly street: string;
  /** Apartment, suite or floor. */
  readonly unit?: string;
  readonly city: string;
  readonly state: string;
  /** Five digits, or nine as `90025-1234`. */
  readonly zipCode: string;
};

/** The shop arranges the time of the pickup with the customer. */
export type PickupWishes = {
  /** `2026-11-25` */
  readonly day?: string;
  readonly window?: PickupWindow;
  /** A gate code, or where to park. */
  readonly note?: string;
};

export const pickupWindows = ['morning', 'afternoon', 'evening'] as const;
export type PickupWindow = (typeof pickupWindows)[number];

/**
 * As typed. The specification (section 3) has all but `addressLine2` and the wishes for a pickup, which may be empty.
 */
export const contactFields = [
  'name',
  'email',
  'phone',
  'address',
  'addressLine2',
  'city',
  'state',
  'zipCode',
  'pickupDay',
  'pickupWindow',
  'driverNote',
] as const;
export type ContactField = (typeof contactFields)[number];
export type ContactInput = Readonly<Record<ContactField, string>>;
export type ContactErrors = Readonly<Partial<Record<ContactField, string>>>;

export const emptyContact: ContactInput = {
  name: '',
  email: '',
  phone: '',
  address: '',
  addressLine2: '',
  city: '',
  state: '',
  zipCode: '',
  pickupDay: '',
  pickupWindow: '',
  driverNote: '',
};

const mostCharacters: Readonly<Record<ContactField, number>> = {
  name: 100,
  email: 254,
  phone: 30,
  address: 200,
  addressLine2: 100,
  city: 100,
  state: 50,
  zipCode: 10,
  pickupDay: 10,
  pickupWindow: 20,
  driverNote: 300,
};

const labels: Readonly<Record<ContactField, string>> = {
  name: 'Name',
  email: 'Email',
  phone: 'Phone',
  address: 'Address',
  addressLine2: 'Apartment',
  city: 'City',
  state: 'State',
  zipCode: 'ZIP Code',
  pickupDay: 'Pickup day',
  pickupWindow: 'Pickup time',
  driverNote: 'Note for the driver',
};

const emailMessage = 'Please enter a valid email address';
const phoneMessage = 'Please enter a valid 10-digit phone number';
const zipCodeMessage = 'Please enter a valid 5-digit ZIP Code';

/**
 * PostgreSQL cannot store all control characters; pictographs and changes of direction make a work order misleading.
 */
const unprintable = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Extended_Pictographic}\p{Bidi_Control}]/u;

export function contactFieldsFor(deliveryOption: DeliveryOption): readonly ContactField[] {
  return deliveryOption === 'pickup' ? contactFields : ['name', 'email', 'phone'];
}

/** Without the country code of the United States. */
export function phoneDigits(typed: string): string {
  const digits = typed.replaceAll(/\D/g, '');
  return digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits;
}

/** In the words of the specification (section 5); undefined without an error. */
export function contactFieldError(field: ContactField, typed: string): string | undefined {
  const text = typed.trim();
  if (text.length > mostCharacters[field])
    return `${labels[field]} must be at most ${mostCharacters[field]} characters`;
  if (unprintable.test(field === 'driverNote' ? text.replaceAll(/\r?\n/g, ' ') : text))
    return `${labels[field]} cannot contain emoji or control characters`;
  switch (field) {
    case 'email':
      return /^[^\s@<>(),;:"]+@[^\s@.<>(),;:"]+(\.[^\s@.<>(),;:"]+)+$/.test(text) ? undefined : emailMessage;
    case 'phone':
      return phoneDigits(text).length === 10 ? undefined : phoneMessage;
    case 'zipCode':
      if (text === '') return `${labels.zipCode} is required`;
      return /^\d{5}(-?\d{4})?$/.test(text) ? undefined : zipCodeMessage;
    case 'pickupDay':
      return text === '' || parseDay(text) !== undefined ? undefined : 'Please choose a day';
    case 'pickupWindow':
      return text === '' || windowOf(text) !== undefined ? undefined : 'Please choose a time';
    case 'addressLine2':
    case 'driverNote':
      return undefined;
    default:
      return text === '' ? `${labels[field]} is required` : undefined;
  }
}

/** Specification, section 2.1. */
export const latestPickupDays = 5;

/**
 * For new orders only. The form offers the days after today; one day more at each end allows a payment after midnight
 * and a clock that is ahead.
 * @param today in the time zone of the business.
 * @returns undefined for a day that the shop can keep.
 */
export function pickupDayError(typed: string, today: Day): string | undefined {
  const day = parseDay(typed.trim());
  if (day === undefined) return undefined;
  const daysAhead = daysFrom(today, day);
  if (daysAhead < 0) return 'This pickup day is over. Please choose another one';
  return daysAhead > latestPickupDays + 1
    ? `Please choose a pickup day of the next ${latestPickupDays} days`
    : undefined;
}

/** Either a valid contact, or the messages of all invalid fields. */
export function parseContact(input: ContactInput, deliveryOption: DeliveryOption): Result<Contact, ContactErrors> {
  const errors: Partial<Record<ContactField, string>> = {};
  for (const field of contactFieldsFor(deliveryOption)) {
    const message = contactFieldError(field, input[field]);
    if (message !== undefined) errors[field] = message;
  }
  if (Object.keys(errors).length > 0) return rejected(errors);
  const person = { name: input.name.trim(), email: input.email.trim(), phone: phoneDigits(input.phone) };
  if (deliveryOption === 'dropoff') return ok(person);
  const wishes = wishesOf(input);
  return ok({
    ...person,
    address: {
      street: input.address.trim(),
      ...present({ unit: input.addressLine2.trim() }),
      city: input.city.trim(),
      state: input.state.trim(),
      zipCode: input.zipCode.trim(),
    },
    ...(Object.keys(wishes).length === 0 ? {} : { wishes }),
  });
}

function wishesOf(input: ContactInput): PickupWishes {
  const window = windowOf(input.pickupWindow.trim());
  return {
    ...present({ day: input.pickupDay.trim() }),
    ...(window === undefined ? {} : { window }),
    ...present({ note: input.driverNote.trim().replaceAll('\r\n', '\n') }),
  };
}

function present<Name extends string>(texts: Readonly<Record<Name, string>>): Partial<Record<Name, string>> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')) as Partial<Record<Name, string>>;
}

function windowOf(text: string): PickupWindow | undefined {
  return pickupWindows.find((window) => window === text);
}
