import { expect, test } from 'vitest';
import { failureOf } from './smtp.ts';

test.each([
  [
    'an address that does not exist',
    {
      responseCode: 550,
      response: '550 5.1.1 <ada@example.com>: no such mailbox',
      command: 'RCPT TO',
      code: 'EENVELOPE',
    },
    { codes: '550 5.1.1 RCPT', isRefusedAddress: true },
  ],
  [
    'an address that is refused for now',
    { responseCode: 451, response: '451 4.3.0 try later', command: 'RCPT TO', code: 'EENVELOPE' },
    { codes: '451 4.3.0 RCPT', isRefusedAddress: false },
  ],
  [
    'a sender that is refused',
    { responseCode: 553, response: '553-5.7.1 not yours', command: 'MAIL FROM', code: 'EENVELOPE' },
    { codes: '553 5.7.1 MAIL', isRefusedAddress: false },
  ],
  [
    'a wrong password',
    { responseCode: 535, response: '535 authentication failed', command: 'AUTH PLAIN', code: 'EAUTH' },
    { codes: '535 AUTH', isRefusedAddress: false },
  ],
  ['no answer', { code: 'ETIMEDOUT', command: 'CONN' }, { codes: 'ETIMEDOUT CONN', isRefusedAddress: false }],
  ['a broken connection', { code: 'ECONNRESET' }, { codes: 'ECONNRESET', isRefusedAddress: false }],
  ['words in place of a code', { code: 'ada@example.com' }, { codes: 'UNKNOWN', isRefusedAddress: false }],
  ['nothing at all', undefined, { codes: 'UNKNOWN', isRefusedAddress: false }],
])('%s is known by its codes only', (_, error, failure) => {
  expect(failureOf(error)).toEqual(failure);
});
