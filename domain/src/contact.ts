import type { DeliveryOption } from './catalog.ts';
import { parseDay } from './day.ts';
import { ok, type Result, rejected } from './result.ts';
import { oneLine, plainLine, visibleText } from './text.ts';

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
 * As typed, in the order of the form: the ZIP code decides whether the shop comes at all. The specification (section 3)
 * has all but `addressLine2` and the wishes for a pickup, which may be empty.
 */
export const contactFields = [
  'zipCode',
  'pickupDay',
  'pickupWindow',
  'driverNote',
  'name',
  'email',
  'phone',
  'address',
  'addressLine2',
  'city',
  'state',
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

/** A work order is printed: colored pictures and characters without a glyph are not; `®`, `™` and `♥` are. */
const unprintable = /[\p{Cs}\p{Co}\p{Cn}\p{Emoji_Presentation}]/u;

/** Not in Unicode's list of unseen characters, but alone it shows nothing: a mark without its letter. */
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

export function contactFieldsFor(deliveryOption: DeliveryOption): readonly ContactField[] {
  return deliveryOption === 'pickup' ? contactFields : ['name', 'email', 'phone'];
}

/** Without the country code of the United States, also as dialed from abroad. */
export function phoneDigits(typed: string): string {
  return plainLine(typed)
    .replaceAll(/\D/g, '')
    .replace(/^(?:00)?1(?=\d{10}$)/, '');
}

/** What was meant, from what was typed or pasted. Only the rules of {@link contactFieldError} make it valid. */
export function contactText(field: ContactField, typed: string): string {
  switch (field) {
    case 'email':
      return emailOf(plainLine(typed));
    case 'zipCode':
      return zipCodeOf(plainLine(typed));
    case 'driverNote':
      return visibleText(typed).trim();
    default:
      return oneLine(typed);
  }
}

/** As it is sent and stored, in the order of the input, so that equal contacts have equal texts. */
export function meantContact(input: ContactInput): ContactInput {
  const meant = contactFields.map((field) => [field, contactText(field, input[field])]);
  return { ...input, ...Object.fromEntries(meant) } as ContactInput;
}

/** `Ada <ada@example.com>`, `mailto:ada@example.com` and the end of a sentence are copied with an address. */
function emailOf(text: string): string {
  const [, address = text] = /^[^<>]*<([^<>]+)>$/.exec(text) ?? [];
  return address.replaceAll(/^mailto:|[.,;]{1,3}$/gi, '');
}

/** `CA 90025`, `90025 1234` and `90025–1234` are ways to write a ZIP code. */
function zipCodeOf(text: string): string {
  const [, five, four] = /^(?:[A-Za-z]{2}[ ,.]*)?(\d{5})(?:[ \p{Pd}]*(\d{4})?)$/u.exec(text) ?? [];
  if (five === undefined) return text;
  return four === undefined ? five : `${five}-${four}`;
}

const domainLabel = String.raw`[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?`;

/** Any script, and no domain that cannot exist: each label begins and ends with a letter or a digit. */
const emailAddress = new RegExp(
  String.raw`^[^\s@<>(),;:"\\[\]]{1,64}@(?:${domainLabel}\.)+(?!\p{N}+$)${domainLabel}$`,
  'u',
);

/** It begins with the code of another country than the United States and Canada. */
const foreign = /^[^\d+]*\+\D*(?!\D|1)/;

const extension = /\d\D*(?:x|ext[a-z.]*|#)\s*\d+$/i;

/** `PO Box 12`, `P.O. Box 12`, and the boxes of the armed forces. */
const postBox = /^(?:p[\s.]*o[\s.]*|post\s*office\s*)box\b|^(?:psc|cmr|unit)\s*\d+,?\s+box\b/i;

/** In the words of the specification (section 5); undefined without an error. */
export function contactFieldError(field: ContactField, typed: string): string | undefined {
  const text = contactText(field, typed);
  if (text.length > mostCharacters[field])
    return `${labels[field]} must be at most ${mostCharacters[field]} characters`;
  if (unprintable.test(text)) return `${labels[field]} cannot contain emoji or control characters`;
  switch (field) {
    case 'email':
      return emailAddress.test(text) ? undefined : emailMessage;
    case 'phone':
      if (phoneDigits(text).length === 10 && !foreign.test(plainLine(text))) return undefined;
      return extension.test(text) ? 'Please enter the 10-digit phone number without the extension' : phoneMessage;
    case 'zipCode':
      if (text === '') return `${labels.zipCode} is required`;
      return /^\d{5}(-\d{4})?$/.test(text) ? undefined : zipCodeMessage;
    case 'pickupDay':
      return text === '' || parseDay(text) !== undefined ? undefined : 'Please choose a day';
    case 'pickupWindow':
      return text === '' || windowOf(text) !== undefined ? undefined : 'Please choose a time';
    case 'addressLine2':
    case 'driverNote':
      return undefined;
    case 'address':
      if (postBox.test(text)) return 'We cannot collect rugs at a post office box. Please enter a street address';
      break;
    default:
  }
  return visible.test(text) ? undefined : `${labels[field]} is required`;
}

/** Either a valid contact, or the messages of all invalid fields. */
export function parseContact(input: ContactInput, deliveryOption: DeliveryOption): Result<Contact, ContactErrors> {
  const errors: Partial<Record<ContactField, string>> = {};
  for (const field of contactFieldsFor(deliveryOption)) {
    const message = contactFieldError(field, input[field]);
    if (message !== undefined) errors[field] = message;
  }
  if (Object.keys(errors).length > 0) return rejected(errors);
  const meant = meantContact(input);
  const person = { name: meant.name, email: meant.email, phone: phoneDigits(meant.phone) };
  if (deliveryOption === 'dropoff') return ok(person);
  const window = windowOf(meant.pickupWindow);
  const wishes: PickupWishes = {
    ...present({ day: meant.pickupDay }),
    ...(window === undefined ? {} : { window }),
    ...present({ note: meant.driverNote }),
  };
  return ok({
    ...person,
    address: {
      street: meant.address,
      ...present({ unit: meant.addressLine2 }),
      city: meant.city,
      state: meant.state,
      zipCode: meant.zipCode,
    },
    ...(Object.keys(wishes).length === 0 ? {} : { wishes }),
  });
}

function present<Name extends string>(texts: Readonly<Record<Name, string>>): Partial<Record<Name, string>> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')) as Partial<Record<Name, string>>;
}

export function windowOf(text: string): PickupWindow | undefined {
  return pickupWindows.find((window) => window === text);
}
