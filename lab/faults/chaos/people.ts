import type { Person } from './customer.ts';

const firstNames = ['Zenobia', 'Quillon', 'Ottilie', 'Barnabas', 'Xanthe', 'Ignatius', 'Wilhelmina', 'Thaddeus'];
const lastNames = ['Quackenbush', 'Featherstonehaugh', 'Mycroft', 'Pumblechook', 'Oglethorpe', 'Vandersloot'];
const streets = ['Persimmon Terrace', 'Marzipan Mews', 'Halcyon Crescent', 'Tumbledown Row'];

/** Rare names: a match in a log cannot have another cause. */
export function personNumber(number: number): Person {
  const first = firstNames[number % firstNames.length] ?? '';
  const last = lastNames[(number * 7) % lastNames.length] ?? '';
  return {
    name: `${first} ${last}`,
    email: `${first}.${last}.${number}@example.com`.toLowerCase(),
    phone: `310555${String(1000 + (number % 9000))}`,
    address: `${1 + (number % 900)} ${streets[number % streets.length]}`,
    city: 'Culver City',
    state: 'CA',
    zipCode: '90232',
  };
}

/** Only the table of contacts may hold them. */
export function secretsOf({ name, email, phone, address }: Person): readonly string[] {
  return [...name.split(' '), email, email.slice(0, email.indexOf('@')), phone, address, 'Culver City'];
}
