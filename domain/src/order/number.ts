import type { Brand } from '../brand.ts';
import { type OrderId, placeOfSupplement } from './ids.ts';

/**
 * The short number for people, `K7QM-4XPT`: seven characters of Crockford's base 32, and a check character. It follows
 * from the id's last 35 random bits, so it cannot be guessed. It opens nothing: two orders may share one. A supplement
 * has the number of its order, and its own place: `K7QM-4XPT-S1`.
 */
export type OrderNumber = Brand<string, 'OrderNumber'>;

/** Crockford's alphabet has no I, L, O and U. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const characters = 7;

export function orderNumberOf(orderId: OrderId): OrderNumber {
  let rest = Number.parseInt(orderId.replaceAll('-', '').slice(-9), 16);
  let text = '';
  for (let place = 0; place < characters; place += 1) {
    text = `${alphabet[rest % 32]}${text}`;
    rest = (rest - (rest % 32)) / 32;
  }
  const place = placeOfSupplement(orderId);
  return `${text.slice(0, 4)}-${text.slice(4)}${checkOf(text)}${place === 0 ? '' : `-S${place}`}` as OrderNumber;
}

/**
 * As people type it; the number of a supplement is read as that of its order.
 * @returns undefined for other text, or a wrong check character.
 */
export function parseOrderNumber(typed: string): OrderNumber | undefined {
  const spelled = typed.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll(/[IL]/g, '1').replaceAll('O', '0');
  const text = spelled.replace(/^(.{8})S\d+$/, '$1');
  const number = text.slice(0, characters);
  if (text.length !== characters + 1 || ![...text].every((character) => alphabet.includes(character))) return undefined;
  if (checkOf(number) !== text[characters]) return undefined;
  return `${text.slice(0, 4)}-${text.slice(4)}` as OrderNumber;
}

/**
 * The number lacks one bit of the last nine hexadecimal digits, so there are two endings; the last eight digits are the
 * same.
 */
export function idEndings(number: OrderNumber): readonly [string, string] {
  const value = [...number.replace('-', '').slice(0, characters)].reduce(
    (sum, character) => sum * 32 + alphabet.indexOf(character),
    0,
  );
  const ending = (bits: number) => bits.toString(16).padStart(9, '0');
  return [ending(value), ending(value + 2 ** 35)];
}

/** Luhn's algorithm with base 32: finds every wrong character and nearly every swap of neighbours. */
function checkOf(text: string): string {
  const sum = [...text].reverse().reduce((total, character, place) => {
    const weighted = alphabet.indexOf(character) * (place % 2 === 0 ? 2 : 1);
    // The sum of its digits to the base 32: it is less than 64.
    return total + (weighted < 32 ? weighted : weighted - 31);
  }, 0);
  return alphabet[(32 - (sum % 32)) % 32] ?? '';
}
