import { expect, test } from 'vitest';
import { relyingPartyOf } from './relying-party.ts';

test.each([
  ['https://office.example.com', { id: 'office.example.com', origin: 'https://office.example.com' }],
  ['http://localhost:8081', { id: 'localhost', origin: 'http://localhost:8081' }],
  ['http://127.0.0.1:8081', { id: 'localhost', origin: 'http://localhost:8081' }],
  ['http://[::1]:8081', { id: 'localhost', origin: 'http://localhost:8081' }],
])('passkeys of %s belong to %o', (url, party) => {
  expect(relyingPartyOf(url)).toEqual(party);
});

test.each(['http://192.168.1.7:8081', 'http://[fd00::7]:8081', 'https://10.0.0.1'])('%s has no passkeys', (url) => {
  expect(relyingPartyOf(url)).toBeUndefined();
});
