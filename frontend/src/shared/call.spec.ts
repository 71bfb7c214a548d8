import { orderDetail, orderRows } from '@kilim/bff/contract/orders';
import { people } from '@kilim/bff/contract/people';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { addressOf, call } from './call.ts';

test('a request has the method and the path of its call, with encoded parameters', () => {
  const detail = call('GET /api/admin/orders/:id', { params: { id: 'a/b?c' }, answer: orderDetail });
  expect(detail).toEqual({ method: 'GET', path: '/api/admin/orders/a%2Fb%3Fc', schema: orderDetail });
  const note = call('DELETE /api/admin/orders/:id/notes/:note', { params: { id: 'x', note: 12 } });
  expect(note).toMatchObject({ method: 'DELETE', path: '/api/admin/orders/x/notes/12' });
});

test('a query has no empty parameters, and begins with the first one', () => {
  const path = (search?: string) =>
    call('GET /api/admin/orders', { query: { page: 2, search }, answer: orderRows }).path;
  expect(path('Ada & Co')).toBe('/api/admin/orders?page=2&search=Ada+%26+Co');
  expect(path('')).toBe('/api/admin/orders?page=2');
  expect(addressOf('GET /api/admin/orders.csv')).toBe('/api/admin/orders.csv');
});

test('a change sends JSON, also when it says nothing more', () => {
  expect(call('POST /api/admin/logout')).toMatchObject({ method: 'POST', body: {} });
  expect(call('POST /api/admin/account/name', { body: { displayName: 'Ada' } }).body).toEqual({ displayName: 'Ada' });
});

test('a call does not compile with another path, body, parameter or answer than the contract has', () => {
  const wrong = () => [
    // @ts-expect-error There is no such call.
    call('GET /api/admin/poeple', { answer: people }),
    // @ts-expect-error The body has another field,
    call('POST /api/admin/account/name', { body: { name: 'Ada' } }),
    // @ts-expect-error this call a body,
    call('POST /api/admin/account/name'),
    // @ts-expect-error this one a parameter,
    call('GET /api/admin/orders/:id', { answer: orderDetail }),
    // @ts-expect-error the query no such filter,
    call('GET /api/admin/orders', { query: { colour: 'red' }, answer: orderRows }),
    // @ts-expect-error and the answer another shape.
    call('GET /api/admin/orders', { answer: people }),
  ];
  expect(wrong).toBeInstanceOf(Function);
  expect(call('GET /api/settings', { answer: z.unknown() }).path).toBe('/api/settings');
});
