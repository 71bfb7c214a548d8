import { expect, test } from 'vitest';
import { parentOriginsAmong } from './parent-origins.ts';

const shop = 'https://www.rugs.example';
const blog = 'https://blog.rugs.example';
const allowed = [shop, blog];
const stranger = 'https://stranger.example';

test('where the browser names the page around us, it alone is spoken with', () => {
  expect(parentOriginsAmong(allowed, { ancestorOrigins: [blog, stranger], referrer: `${shop}/` })).toEqual([blog]);
});

test('a page that is not allowed is not spoken with', () => {
  expect(parentOriginsAmong(allowed, { ancestorOrigins: [stranger], referrer: `${shop}/` })).toEqual([]);
});

test('without the browser saying so, the referrer says it', () => {
  expect(parentOriginsAmong(allowed, { ancestorOrigins: undefined, referrer: `${shop}/cleaning?a=1` })).toEqual([shop]);
});

test.each(['', 'not an address', `${stranger}/`])(
  'when nothing says it (%j), it may be each of those allowed',
  (referrer) => {
    expect(parentOriginsAmong(allowed, { ancestorOrigins: undefined, referrer })).toEqual(allowed);
  },
);
