import { randomUUID } from 'node:crypto';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepareLogin } from '../core/database/prepare-login.ts';
import { parseEnvironment } from './env.ts';
import { openDatabase } from './start-peers.ts';

const { url, ownerSql } = await testDatabase();
const login = `shop_${randomUUID().slice(0, 8)}`;
beforeAll(() => ownerSql.unsafe(`create role ${login} login bypassrls password 'rugs'`));
afterAll(() => ownerSql.unsafe(`drop owned by ${login}; drop role ${login}`));

async function openInProduction(databaseUrl: string): Promise<string> {
  const parsed = parseEnvironment({
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    DATABASE_NETWORK: 'private',
    PUBLIC_URL: 'https://shop.example.com',
    OFFICE_URL: 'https://office.example.com',
    TRUST_PROXY: '1',
    LEDGER_SIGNING_KEY: 'MC4CAQAwBQYDK2VwBCIEIAMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMD',
    ADMIN_PASSWORD: 'a long enough password',
    SQUARE_ENVIRONMENT: 'sandbox',
    SQUARE_ACCESS_TOKEN: 'EAAA-sandbox-token',
    SQUARE_APPLICATION_ID: 'sandbox-sq0idb-shop',
    SQUARE_LOCATION_ID: 'LSHOP',
  });
  if (!parsed.ok) throw new Error(parsed.rejection.join('\n'));
  return (await openDatabase(parsed.value, () => {})).variable;
}

test('production does not start with a superuser as the login of a server, and starts with one of its own', async () => {
  await expect(openInProduction(url)).rejects.toThrow(/^DATABASE_URL: the login \w+ is a superuser/);
  const ownUrl = Object.assign(new URL(url), { username: login, password: 'rugs' }).href;
  await expect(openInProduction(ownUrl)).rejects.toThrow(/^DATABASE_URL: the login \w+ has the attribute bypassrls/);
  await ownerSql.unsafe(`alter role ${login} nobypassrls`);
  await expect(openInProduction(ownUrl)).rejects.toThrow(`npm run migrate -- --login ${login}`);
  await prepareLogin(url, login);
  expect(await openInProduction(ownUrl)).toBe('DATABASE_URL');
});
