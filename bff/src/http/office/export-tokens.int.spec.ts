import { afterAll, expect, onTestFinished, test } from 'vitest';
import { makeAdministrator, openBrowser } from '../../../testing/administrator.ts';
import { testDatabase } from '../../../testing/postgres.ts';
import { openShop } from '../../../testing/shop.ts';
import { appendFacts, workedMonth } from '../../../testing/worked-month.ts';

const { appSql, ownerSql } = await testDatabase();
const shop = await openShop(appSql);
afterAll(shop.close);
await makeAdministrator(appSql);
const browser = openBrowser(shop);
await browser.signIn();
await appendFacts(appSql, workedMonth);

const october = 'from=2026-10-01&to=2026-10-31';

const make = async (name: string) => {
  const answer = await browser.post('/api/admin/export-tokens', { name });
  expect(answer.status).toBe(201);
  return (await answer.json()) as { id: string; token: string };
};
const withToken = (path: string, token: string) => shop.get(path, { authorization: `Bearer ${token}` });

test('an export token opens exports, and no other call of the back office', async () => {
  const { token } = await make("Ada's spreadsheet");
  const answer = await withToken(`/api/admin/ledger/export?format=takings-csv&${october}`, token);
  expect(answer.status).toBe(200);
  expect((await answer.text()).trimEnd().split('\r\n')).toHaveLength(1 + 31);
  const others = shop.routes.filter(
    ({ path, method }) =>
      path.startsWith('/api/admin') &&
      method !== 'ALL' &&
      !/\/(login(\/.*)?|password-link(\/use)?|ledger\/export)$/.test(path),
  );
  expect(others.length).toBeGreaterThan(10);
  for (const { method, path } of others) {
    const init = { method, headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' } };
    const body = method === 'GET' ? {} : { body: '{}' };
    const refused = await shop.request(path.replaceAll(/:\w+/g, 'x'), { ...init, ...body });
    expect([401, 415], `${method} ${path}`).toContain(refused.status);
  }
});

test('an export token is shown once, stored as a hash, and lists its last use', async () => {
  const { id, token } = await make('Nightly script');
  const before = (await (await browser.get('/api/admin/export-tokens')).json()) as {
    id: string;
    usedAt: string | null;
  }[];
  expect(before.find((listed) => listed.id === id)).toMatchObject({
    name: 'Nightly script',
    createdBy: 'ada',
    usedAt: null,
  });
  expect(JSON.stringify(before)).not.toContain(token.slice(-20));
  const [kept] = await ownerSql<
    { row: string }[]
  >`select to_json(export_token)::text as row from admin.export_token where id = ${id}`;
  expect(kept?.row).not.toContain(token.slice(-20));
  await (await withToken(`/api/admin/ledger/export?format=takings-csv&${october}`, token)).text();
  const after = (await (await browser.get('/api/admin/export-tokens')).json()) as {
    id: string;
    usedAt: string | null;
  }[];
  expect(after.find((listed) => listed.id === id)?.usedAt).not.toBeNull();
  expect(shop.logged.join('\n')).not.toContain(token.slice(-20));
});

test('a revoked or invented export token opens nothing', async () => {
  const { id, token } = await make('Old script');
  const path = `/api/admin/ledger/export?format=takings-csv&${october}`;
  const revoked = await browser.send(`/api/admin/export-tokens/${id}`, {
    method: 'DELETE',
    headers: { 'content-type': 'application/json' },
  });
  expect(revoked.status).toBe(204);
  for (const made of [token, token.slice(0, -1), `kilim_export_${'A'.repeat(43)}`, 'x', "' or 1=1 --"]) {
    const refused = await withToken(path, made);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toBe('Bearer');
  }
  expect((await shop.get(`${path}&token=${token}`)).status).toBe(401);
});

test('too many uses or guesses of an export token are throttled', async () => {
  const limited = await openShop(appSql, { throttling: { factor: 1, secret: 'exports' } });
  onTestFinished(limited.close);
  const { token } = await make('Busy script');
  const path = `/api/admin/ledger/export?format=refunds-csv&from=2026-10-01&to=2026-10-01`;
  const ask = async (authorization: string) => {
    const answer = await limited.get(path, { authorization });
    await answer.text();
    return answer.status;
  };
  const used = [];
  for (let time = 0; time < 31; time += 1) used.push(await ask(`Bearer ${token}`));
  expect([used.at(29), used.at(30)]).toEqual([200, 429]);
  const guessed = [];
  for (let time = 0; time < 61; time += 1) guessed.push(await ask(`Bearer guess-${time}`));
  expect([guessed.at(59), guessed.at(60)]).toEqual([401, 429]);
});
