/** The rules for the fields and their token. This file does not touch the page. */

/** @typedef {{ cardNumber: string, expirationDate: string, cvv: string, postalCode: string }} Entry */
/** @typedef {{ number: string, brand: string, outcome: string }} TestCard */
/** @typedef {{ field: keyof Entry, value: string, outcome: string }} Trigger */

export const fieldNames = ['cardNumber', 'expirationDate', 'cvv', 'postalCode'];

function digitsOf(text) {
  return text.replaceAll(/\D/g, '');
}

/** @returns one problem for each invalid field, in the words that the customer reads. */
export function problemsOf(entry, testCards, now) {
  const rules = {
    cardNumber: () => cardNumberProblem(entry.cardNumber, testCards),
    expirationDate: () => expirationProblem(entry.expirationDate, now),
    cvv: () => cvvProblem(entry.cvv, cardOf(entry.cardNumber, testCards)),
    postalCode: () => postalCodeProblem(entry.postalCode),
  };
  return fieldNames
    .map((field) => ({ type: 'VALIDATION_ERROR', field, message: rules[field]() }))
    .filter(({ message }) => message !== undefined);
}

function cardNumberProblem(text, testCards) {
  if (text.trim() === '') return 'Enter the card number.';
  if (!/^[\d\s-]+$/.test(text) || !passesLuhn(digitsOf(text))) return 'This card number is not valid.';
  // Nobody may type a real card here.
  return cardOf(text, testCards) === undefined
    ? 'Only test cards work here, such as 4111 1111 1111 1111. Never enter a real card.'
    : undefined;
}

function expirationProblem(text, now) {
  if (text.trim() === '') return 'Enter the expiration date.';
  const expiration = expirationOf(text);
  if (expiration === undefined) return 'Enter the date as MM/YY.';
  // A card is valid until the last day of its month.
  return new Date(expiration.year, expiration.month, 1) <= now ? 'This card has expired.' : undefined;
}

function cvvProblem(text, card) {
  const length = card?.brand === 'AMERICAN_EXPRESS' ? 4 : 3;
  if (text.trim() === '') return 'Enter the CVV.';
  return /^\d+$/.test(text.trim()) && text.trim().length === length ? undefined : `The CVV has ${length} digits.`;
}

function postalCodeProblem(text) {
  if (text.trim() === '') return 'Enter the postal code.';
  return /^\d{5}(-?\d{4})?$/.test(text.trim()) ? undefined : 'The postal code has 5 digits.';
}

function passesLuhn(digits) {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return digits.length >= 13 && digits.length <= 19 && sum % 10 === 0;
}

export function cardOf(text, testCards) {
  return testCards.find(({ number }) => number === digitsOf(text));
}

export function brandOf(text) {
  const digits = digitsOf(text);
  return brands.find(([prefix]) => prefix.test(digits))?.[1] ?? 'unknown';
}

const brands = [
  [/^4/, 'visa'],
  [/^5[1-5]|^2[2-7]/, 'mastercard'],
  [/^3[47]/, 'americanExpress'],
  [/^6(011|5)/, 'discover'],
  [/^30|^3[689]/, 'discoverDiners'],
  [/^35/, 'jcb'],
];

/** @returns {{ month: number, year: number } | undefined} the month counted from 1 and the full year */
export function expirationOf(text) {
  const match = /^\s*(0?[1-9]|1[0-2])\s*\/\s*(?:20)?(\d{2})\s*$/.exec(text) ?? /^(0[1-9]|1[0-2])(\d{2})$/.exec(text);
  return match === null ? undefined : { month: Number(match[1]), year: 2000 + Number(match[2]) };
}

/** Another field may hold one of the sandbox's triggers. */
export function outcomeOf(entry, testCards, triggers) {
  const card = cardOf(entry.cardNumber, testCards);
  const trigger = triggers.find(({ field, value }) => digitsOf(entry[field]) === digitsOf(value));
  // A trigger overrules only a card that would pay.
  return card.outcome.startsWith('ok') && trigger !== undefined ? trigger.outcome : card.outcome;
}

/** Single-use; carries the outcome to the server. */
export function mintToken(outcome) {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `cnon:sim-${outcome}-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

export function groupedNumber(text) {
  return digitsOf(text)
    .slice(0, 19)
    .replaceAll(/(\d{4})(?=\d)/g, '$1 ');
}

/** Once the month has two digits. */
export function slashedExpiration(text) {
  const digits = digitsOf(text).slice(0, 4);
  return text.includes('/') || digits.length < 2 ? text : `${digits.slice(0, 2)}/${digits.slice(2)}`;
}
