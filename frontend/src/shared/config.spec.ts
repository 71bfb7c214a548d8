import type { ConfigAnswer } from '@kilim/bff/contract/config';
import { expect, test } from 'vitest';
import { configOf } from './config.ts';

const config: ConfigAnswer = {
  square: {
    applicationId: 'sandbox-a',
    locationId: 'LSIM',
    environment: 'sandbox',
    scriptUrl: 'https://a.example/b.js',
  },
  parentOrigins: ['https://rugs.example'],
  abConversionUrl: null,
  checkoutTopLevel: false,
  business: {
    name: 'Kilim Rug Care',
    phone: '(415) 555-0132',
    bookingUrl: 'https://rugs.example/book',
    timeZone: 'America/Los_Angeles',
    dropOffSites: [{ name: 'West LA', note: 'by appointment only' }],
  },
};

test('the server’s configuration is parsed without loss', () => {
  expect(configOf(config)).toEqual(config);
  expect(configOf({ ...config, business: { ...config.business, timeZone: undefined } })).toBeUndefined();
});
