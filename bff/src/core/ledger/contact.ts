import { createHash, randomBytes } from 'node:crypto';
import type { Contact, PickupWindow, PickupWishes, PostalAddress } from '@kilim/domain/contact';
import type { OrderId } from '@kilim/domain/order/ids';
import type { Sql } from '../database/database.ts';
import { canonicalJson } from './hash.ts';
import type { Rider } from './riders.ts';

/** The salt proves the digest in `OrderPlaced`. */
export type KeptContact = {
  readonly contact: Contact;
  readonly salt: Uint8Array;
  readonly receiptTokenHash: Uint8Array;
};

export type ContactColumns = {
  salt: Uint8Array;
  name: string;
  email: string;
  phone: string;
  street: string | null;
  city: string | null;
  state: string | null;
  zip_code: string | null;
  unit: string | null;
  pickup_day: string | null;
  pickup_window: PickupWindow | null;
  driver_note: string | null;
  receipt_token_hash: Uint8Array;
};

export const contactColumns = [
  ...['salt', 'name', 'email', 'phone', 'street', 'unit', 'city', 'state', 'zip_code'],
  ...['pickup_day', 'pickup_window', 'driver_note', 'receipt_token_hash'],
];

export async function readContact(sql: Sql, orderId: OrderId): Promise<KeptContact | undefined> {
  const [row] = await sql<ContactColumns[]>`
    select ${sql(contactColumns)} from ledger.customer_contact where order_id = ${orderId}`;
  return row && contactOf(row);
}

export function contactOf(row: ContactColumns): KeptContact {
  const person = { name: row.name, email: row.email, phone: row.phone };
  const { salt, receipt_token_hash: receiptTokenHash } = row;
  const address = addressOf(row);
  if (address === undefined) return { contact: person, salt, receiptTokenHash };
  const wishes = wishesOf(row);
  const isWishing = Object.keys(wishes).length > 0;
  return { contact: { ...person, address, ...(isWishing ? { wishes } : {}) }, salt, receiptTokenHash };
}

function addressOf({ street, unit, city, state, zip_code: zipCode }: ContactColumns): PostalAddress | undefined {
  if (street === null || city === null || state === null || zipCode === null) return undefined;
  return { street, ...(unit === null ? {} : { unit }), city, state, zipCode };
}

function wishesOf({ pickup_day: day, pickup_window: window, driver_note: note }: ContactColumns): PickupWishes {
  return {
    ...(day === null ? {} : { day }),
    ...(window === null ? {} : { window }),
    ...(note === null ? {} : { note }),
  };
}

export function newSalt(): Uint8Array {
  return randomBytes(16);
}

/** Salted, because an attacker could try all names and telephone numbers. */
export function contactDigest(contact: Contact, salt: Uint8Array): string {
  return createHash('sha256').update(salt).update(canonicalJson(contact)).digest('hex');
}

type ContactToKeep = KeptContact & { readonly orderId: OrderId };

/** Bytes are `\x`-prefixed hexadecimal text. */
export type ContactRow = Readonly<Omit<ContactColumns, 'salt' | 'receipt_token_hash'>> & {
  readonly order_id: OrderId;
  readonly salt: string;
  readonly receipt_token_hash: string;
};

export function contactRow({ orderId, contact, salt, receiptTokenHash }: ContactToKeep): ContactRow {
  return {
    order_id: orderId,
    salt: bytea(salt),
    name: contact.name,
    email: contact.email,
    phone: contact.phone,
    street: contact.address?.street ?? null,
    city: contact.address?.city ?? null,
    state: contact.address?.state ?? null,
    zip_code: contact.address?.zipCode ?? null,
    unit: contact.address?.unit ?? null,
    pickup_day: contact.wishes?.day ?? null,
    pickup_window: contact.wishes?.window ?? null,
    driver_note: contact.wishes?.note ?? null,
    receipt_token_hash: bytea(receiptTokenHash),
  };
}

function bytea(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes).toString('hex')}`;
}

/** An order keeps its first contact. */
export function keepContact(contact: ContactToKeep): Rider {
  const row = JSON.stringify(contactRow(contact));
  return { rows: (sql) => sql`ledger.keep_contact(${row}::text::json)` };
}
