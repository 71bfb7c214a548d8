import { expect, test } from 'vitest';
import { cardWithOutcome, fieldTriggers, testCards } from '../test-cards.ts';
import { readToken } from '../tokens.ts';
import { expirationOf, groupedNumber, mintToken, outcomeOf, problemsOf, slashedExpiration } from './card-rules.js';

const noon = new Date('2026-11-21T12:00:00Z');
const visa = { cardNumber: '4111 1111 1111 1111', expirationDate: '12/30', cvv: '111', postalCode: '94103' };

function messages(changed: Partial<typeof visa>) {
  return problemsOf({ ...visa, ...changed }, testCards, noon).map(({ field, message }) => `${field}: ${message}`);
}

test('a test card with complete entries has no problems', () => {
  expect(messages({})).toEqual([]);
});

test('each empty field has its own sentence', () => {
  expect(messages({ cardNumber: '', expirationDate: ' ', cvv: '', postalCode: '' })).toEqual([
    'cardNumber: Enter the card number.',
    'expirationDate: Enter the expiration date.',
    'cvv: Enter the CVV.',
    'postalCode: Enter the postal code.',
  ]);
});

test('a valid number that is not a test card is refused, because it may be a real card', () => {
  expect(messages({ cardNumber: '4242 4242 4242 4242' })).toEqual([
    'cardNumber: Only test cards work here, such as 4111 1111 1111 1111. Never enter a real card.',
  ]);
});

test('a mistyped number has another message than a real card', () => {
  expect(messages({ cardNumber: '4111 1111 1111 1112' })).toEqual(['cardNumber: This card number is not valid.']);
});

test('a card is valid until the last day of its month', () => {
  expect(messages({ expirationDate: '11/26' })).toEqual([]);
  expect(messages({ expirationDate: '10/26' })).toEqual(['expirationDate: This card has expired.']);
  expect(messages({ expirationDate: '13/30' })).toEqual(['expirationDate: Enter the date as MM/YY.']);
});

test('American Express has a CVV of four digits', () => {
  expect(messages({ cardNumber: '340000000000009' })).toEqual(['cvv: The CVV has 4 digits.']);
  expect(messages({ cardNumber: '340000000000009', cvv: '1111' })).toEqual([]);
});

test.each(testCards)('$number makes a token that the server reads as $outcome', (card) => {
  const cvv = card.brand === 'AMERICAN_EXPRESS' ? '1111' : '111';
  expect(messages({ cardNumber: card.number, cvv })).toEqual([]);
  const token = mintToken(outcomeOf({ ...visa, cardNumber: card.number }, testCards, fieldTriggers));
  expect(readToken(token)).toEqual({ card, singleUse: true });
  expect(mintToken(card.outcome)).not.toBe(token);
});

test.each([
  ['cvv', { cvv: '911' }, 'CVV_FAILURE'],
  ['postal', { postalCode: '99999' }, 'ADDRESS_VERIFICATION_FAILURE'],
  ['expiration', { expirationDate: '01/40' }, 'INVALID_EXPIRATION'],
])("the sandbox's trigger for %s declines a good card", (outcome, changed, code) => {
  expect(messages(changed)).toEqual([]);
  expect(outcomeOf({ ...visa, ...changed }, testCards, fieldTriggers)).toBe(outcome);
  expect(cardWithOutcome(outcome)?.decline?.code).toBe(code);
});

test('numbers are grouped and the slash is added while typing', () => {
  expect(groupedNumber('41111111 1111')).toBe('4111 1111 1111');
  expect(['1', '12', '123', '12/3'].map(slashedExpiration)).toEqual(['1', '12/', '12/3', '12/3']);
  expect(['12/30', '1230', '12 / 2030'].map(expirationOf)).toEqual(Array(3).fill({ month: 12, year: 2030 }));
});
