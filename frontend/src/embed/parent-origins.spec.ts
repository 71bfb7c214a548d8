import { expect, test } from 'vitest';
import { parentOriginsAmong } from './parent-origins.ts';

const shop = 'https://www.rugs.example';
const blog = 'https://blog.rugs.example';
const allowed = [shop, blog];
const stranger = 'https://stranger.example';

test('if the browser names the parent page, messages go to its origin only', () => {
  expect(parentOriginsAmong(allowed, { ancestorOrigins: [blog, stranger], referrer: `${shop}/` })).toEqual([blog]);
});

test('a parent page that is not allowed gets no messages', () => {
  expect(parentOriginsAmong(allowed, { ancestorOrigins: [stranger], referrer: `${shop}/` })).toEqual([]);
});

test('without `ancestorOrigins`, the referrer names the parent page', () => {
  expect(parentOriginsAmong(allowed, { ancestorOrigins: undefined, referrer: `${shop}/cleaning?a=1` })).toEqual([shop]);
});

test.each(['', 'not an address', `${stranger}/`])(
  'with the referrer %j, every allowed origin is possible',
  (referrer) => {
    expect(parentOriginsAmong(allowed, { ancestorOrigins: undefined, referrer })).toEqual(allowed);
  },
);
