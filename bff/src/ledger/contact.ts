import { createHash, randomBytes } from 'node:crypto';
import type { Contact } from '@kilim/domain/contact';
import type { OrderId } from '@kilim/domain/order/ids';
import type { Sql } from '../database/database.ts';
import type { ContactRow } from './append.ts';
import { canonicalJson } from './hash.ts';

/**
 * A contact as the table beside the ledger keeps it, with the salt that proves the digest in
 * `OrderPlaced`.
 */
export type KeptContact = {
  readonly contact: Contact;
  readonly salt: Uint8Array;
  readonly receiptTokenHash: Uint8Array;
};

/** The columns of `ledger.customer_contact`. */
export type ContactColumns = {
  salt: Uint8Array;
  name: string;
  email: string;
  phone: string;
  street: string | null;
  city: string | null;
  state: string | null;
  zip_code: string | null;
  receipt_token_hash: Uint8Array;
};

export async function readContact(sql: Sql, orderId: OrderId): Promise<KeptContact | undefined> {
  const [row] = await sql<ContactColumns[]>`
    select salt, name, email, phone, street, city, state, zip_code, receipt_token_hash
    from ledger.customer_contact where order_id = ${orderId}`;
  return row && contactOf(row);
}

export function contactOf(row: ContactColumns): KeptContact {
  const person = { name: row.name, email: row.email, phone: row.phone };
  const { street, city, state, zip_code: zipCode } = row;
  const hasAddress = street !== null && city !== null && state !== null && zipCode !== null;
  return {
    contact: hasAddress ? { ...person, address: { street, city, state, zipCode } } : person,
    salt: row.salt,
    receiptTokenHash: row.receipt_token_hash,
  };
}

export function newSalt(): Uint8Array {
  return randomBytes(16);
}

/** The digest is salted, because an attacker could try all names and telephone numbers. */
export function contactDigest(contact: Contact, salt: Uint8Array): string {
  return createHash('sha256').update(salt).update(canonicalJson(contact)).digest('hex');
}

type ContactToKeep = KeptContact & { readonly orderId: OrderId };

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
    receipt_token_hash: bytea(receiptTokenHash),
  };
}

function bytea(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes).toString('hex')}`;
}
