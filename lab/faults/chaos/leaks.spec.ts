import { expect, test } from 'vitest';
import { leaksIn } from './leaks.ts';
import { personNumber } from './people.ts';

const person = personNumber(3);

test.each([
  ['a name', `placing the order of ${person.name}`],
  ['half a name', person.name.split(' ')[1] ?? ''],
  ['an e-mail in other letters', person.email.toUpperCase()],
  ['a telephone number', `{"phone":"${person.phone}"}`],
  ['an address', person.address],
  ['a card token', 'source_id=cnon:sim-ok-0011223344'],
])('%s in a log is a leak', (_, text) => {
  expect(leaksIn([{ where: 'a log', text }], [person])).not.toEqual([]);
});

test('a text without personal data is not a leak', () => {
  expect(leaksIn([{ where: 'a log', text: '{"msg":"answered","status":200}' }], [person])).toEqual([]);
});
