import { identity, startTestSimulator } from '@kilim/lab/square/simulator-under-test';
import type { Simulator } from '@kilim/lab/square/start-simulator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CardLocation } from '../../core/square/card-processor.ts';
import { createSquareProcessor } from '../../core/square/square.ts';
import { listen } from '../listen.ts';
import { checkLocation, checkSquare } from './check-square.ts';

// With a wrong token, location or address.

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startTestSimulator();
});
afterAll(() => simulator.close());

type Options = { readonly accessToken?: string; readonly locationId?: string; readonly baseUrl?: string };

async function check(options: Options = {}) {
  const square = createSquareProcessor({ ...identity, baseUrl: simulator.url, timeoutSeconds: 2, ...options });
  return checkSquare(square, new Date('2026-11-21T12:00:00Z'));
}

test('the right token and location are fine', async () => {
  expect(await check()).toEqual([]);
});

test('a token that Square refuses is named, and not shown', async () => {
  const found = await check({ accessToken: 'EAAA-of-another-shop' });
  expect(found).toMatchObject([{ level: 'error', variable: 'SQUARE_ACCESS_TOKEN' }]);
  expect(JSON.stringify(found)).not.toContain('EAAA-of-another-shop');
});

test('a location of another shop is named', async () => {
  expect(await check({ locationId: 'LELSEWHERE' })).toMatchObject([{ level: 'error', variable: 'SQUARE_LOCATION_ID' }]);
});

test.each([
  ['PAYMENTS_WRITE', 'error', 'POST /v2/payments/cancel'],
  ['PAYMENTS_READ', 'error', 'GET /v2/payments'],
  ['PAYMENTS_READ', 'error', 'GET /v2/refunds'],
  ['DISPUTES_READ', 'warning', 'GET /v2/disputes'],
  ['PAYOUTS_READ', 'warning', 'GET /v2/payouts'],
  ['MERCHANT_PROFILE_READ', 'warning', 'GET /v2/locations/*'],
])('the missing right %s is named, as %s, when Square refuses %s', async (right, level, call) => {
  const [method, path] = call.split(' ');
  const error = { status: 403, code: 'INSUFFICIENT_SCOPES', category: 'AUTHENTICATION_ERROR' };
  simulator.setFault({ kind: 'status', method, path, ...error });
  const problem = expect.stringContaining(`lacks the right ${right}, so `);
  expect(await check()).toMatchObject([{ level, variable: 'SQUARE_ACCESS_TOKEN', problem }]);
});

test('an address without a Square, or of another program, is an error that names where to look', async () => {
  const web = await listen({
    host: '127.0.0.1',
    port: 0,
    handler: () => ({ fetch: () => new Response('a web page') }),
  });
  try {
    for (const baseUrl of ['http://127.0.0.1:1', `http://127.0.0.1:${web.port}`]) {
      expect(await check({ baseUrl })).toMatchObject([
        { level: 'error', variable: 'SQUARE_ENVIRONMENT', remedy: expect.stringContaining('SQUARE_BASE_URL') },
      ]);
    }
  } finally {
    await web.close(0);
  }
});

test.each<[string, Partial<CardLocation>, string | undefined]>([
  ['an active location in dollars', {}, undefined],
  ['a location whose abilities Square does not tell', { takesCards: undefined }, undefined],
  ['an inactive location', { isActive: false }, 'the location is inactive.'],
  ['a Canadian location', { currency: 'CAD' }, "the location's currency is CAD, and Kilim charges USD."],
  ['an account that is not activated', { takesCards: false }, 'the location may not process cards yet.'],
])('%s', (_, difference, problem) => {
  const location = { isActive: true, currency: 'USD', takesCards: true, ...difference };
  const [found] = checkLocation({ kind: 'found', location });
  expect(found?.problem).toBe(problem);
  if (problem !== undefined) expect(found).toMatchObject({ level: 'error', variable: 'SQUARE_LOCATION_ID' });
});
