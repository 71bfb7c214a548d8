import type { ConfigAnswer, QuoteAnswer } from '@kilim/bff/api';
import { expect, test } from 'vitest';
import { configOf } from './config.ts';
import { quoteSchema } from './wire.ts';

/*
 * Each answer has the server's type, so that a renamed, added or changed field breaks the build
 * here. Each is parsed with the page's schema.
 */

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

const quote: QuoteAnswer = {
  orderId: '01a1feae-20e0-70e4-ba26-5553380efc5e',
  rugs: [
    {
      widthFeet: 8,
      widthInches: 0,
      lengthFeet: 10,
      lengthInches: 0,
      serviceTier: 'premium',
      stainProtection: true,
      mothProtection: false,
      repairInspection: false,
      width: 8,
      length: 10,
      unit: 'feet',
      area: 80,
      pricePerSqft: 5.95,
      baseCost: 476,
      deliveryCost: 0,
      totalCost: 476,
    },
  ],
  deliveryOption: 'dropoff',
  includeDelivery: false,
  subtotal: 476,
  delivery: 0,
  deliveryMinimum: 0,
  deliveryCost: 0,
  addOns: { stainProtection: 0, mothProtection: 0, repairInspection: 0 },
  salesTax: 0,
  totalAmount: 476,
};

test('the server’s configuration is parsed without loss', () => {
  expect(configOf(config)).toEqual(config);
  expect(configOf({ ...config, business: { ...config.business, timeZone: undefined } })).toBeUndefined();
});

test('the server’s quote is parsed without loss', () => {
  expect(quoteSchema.parse(quote)).toEqual(quote);
});
