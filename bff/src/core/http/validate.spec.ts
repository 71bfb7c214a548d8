import { cents } from '@kilim/domain/money';
import fc from 'fast-check';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { dollars, signedDollars } from '../../../contract/money.ts';
import { requestedDollars } from '../../../contract/requested-number.ts';
import { body, query } from './validate.ts';

const refund = z.object({ amount: requestedDollars('Please enter dollars') });
const filter = z.object({ status: z.optional(z.enum(['open', 'closed'], 'Please give open or closed')) });

const app = new Hono()
  .use(bodyLimit({ maxSize: 100, onError: (c) => c.text('too large', 413) }))
  .post('/refund', body(refund), (c) => c.json(c.req.valid('json')))
  .get('/list', query(filter), (c) => c.json(c.req.valid('query')));

function post(text: string | ReadableStream) {
  const headers = { 'content-type': 'application/json' };
  return app.request('/refund', { method: 'POST', headers, body: text, ...{ duplex: 'half' } });
}

test.each(['{"amount":12.34}', '{"amount":"12.34"}'])('a handler gets whole cents for %s', async (text) => {
  expect(await (await post(text)).json()).toEqual({ amount: 1234 });
});

test.each(['{"amount":-1}', '{"amount":0.001}', '{}'])('%s is answered 422 with the wrong field', async (text) => {
  const answer = await post(text);
  expect(answer.status).toBe(422);
  expect(await answer.json()).toMatchObject({ code: 'Invalid', fields: { amount: 'Please enter dollars' } });
});

test('text that is not JSON is answered 400, and JSON of another kind 422', async () => {
  const malformed = await post('{"amount":');
  expect(malformed.status).toBe(400);
  expect(await malformed.json()).toMatchObject({ code: 'MalformedJson' });
  const other = await post('null');
  expect(await other.json()).toMatchObject({ code: 'Invalid', fields: { body: expect.any(String) } });
});

test('a body without a length that passes the limit is answered 413, not 400', async () => {
  const stream = new Blob([`{"amount":"${'1'.repeat(200)}"}`]).stream();
  expect((await post(stream)).status).toBe(413);
});

test('a parameter that is given twice is refused, also a known value and one that no schema has', async () => {
  for (const [name, search] of [
    ['status', 'status=open&status=closed'],
    ['page', 'page=1&page=&status=open'],
  ]) {
    const answer = await app.request(`/list?${search}`);
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ code: 'Invalid', fields: { [`${name}`]: 'Please give this once' } });
  }
});

test('in a query an empty parameter is absent', async () => {
  expect(await (await app.request('/list?status=')).json()).toEqual({});
  const wrong = await app.request('/list?status=x');
  expect(await wrong.json()).toMatchObject({ fields: { status: 'Please give open or closed' } });
});

test('every amount survives the way to the wire and back', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999_999_999 }), (amount) => {
      expect(z.decode(dollars, z.encode(dollars, cents(amount)))).toBe(amount);
      expect(z.decode(signedDollars, z.encode(signedDollars, cents(-amount)))).toBe(-amount);
    }),
  );
});
