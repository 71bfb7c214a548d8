import { testDatabase } from '@kilim/lab/testing/postgres';
import { openShop } from '@kilim/lab/testing/shop';
import { afterAll, expect, test } from 'vitest';
import { calls } from '../../../contract/calls.ts';

const { appSql } = await testDatabase();
const shop = await openShop(appSql);
afterAll(shop.close);

test('the contract has every call that the router has, and no other', () => {
  // ALL is middleware, and OPTIONS answers probes as GET does.
  const described = shop.routes.filter(({ method }) => method !== 'ALL' && method !== 'OPTIONS');
  const routed = described.map(({ method, path }) => `${method} ${path}`);
  expect([...new Set(routed)].sort()).toEqual(Object.keys(calls).sort());
});
