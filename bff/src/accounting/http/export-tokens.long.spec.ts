import { makeAdministrator, makePerson, openBrowser } from '@kilim/lab/testing/administrator';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { openShop } from '@kilim/lab/testing/shop';
import { appendFacts, workedMonth } from '@kilim/lab/testing/worked-month';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { type ExportToken, exportFormats } from '../../../contract/exports.ts';

const { appSql, ownerSql } = await testDatabase();
const shop = await openShop(appSql);
afterAll(shop.close);
await makeAdministrator(appSql);
const browser = openBrowser(shop);
await browser.signIn();
await appendFacts(appSql, workedMonth);

const october = 'from=2026-10-01&to=2026-10-31';

const make = async (name: string, expiry: object = {}) => {
  const answer = await browser.post('/api/admin/export-tokens', { name, ...expiry });
  expect(answer.status).toBe(201);
  return (await answer.json()) as { id: string; token: string };
};
const withToken = (path: string, token: string) => shop.get(path, { authorization: `Bearer ${token}` });

test('an export token opens exports and the newest note, and no other call of the back office', async () => {
  const { token } = await make("Ada's spreadsheet");
  const answer = await withToken(`/api/admin/ledger/export?format=takings-csv&${october}`, token);
  expect(answer.status).toBe(200);
  expect((await answer.text()).trimEnd().split('\r\n')).toHaveLength(1 + 31);
  const others = shop.routes.filter(
    ({ path, method }) =>
      path.startsWith('/api/admin') &&
      method !== 'ALL' &&
      !/\/(login(\/.*)?|password-link(\/use)?|ledger\/(export|note))$/.test(path),
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

const listed = async (wanted: string) => {
  const tokens = (await (await browser.get('/api/admin/export-tokens')).json()) as ExportToken[];
  return tokens.find(({ id }) => id === wanted);
};
const exportOf = (format: string, from: string, to: string) =>
  `/api/admin/ledger/export?format=${format}&from=${from}&to=${to}`;

/** In the security log. */
const refusals = async (name: string) => {
  const rows = await ownerSql<{ reason: string }[]>`select detail ->> 'reason' as reason from admin.security_entry
    where kind = 'token-refused' and detail ->> 'token' = ${name}`;
  return rows.map(({ reason }) => reason);
};

describe('an export token', () => {
  test('opens each file of any days', async () => {
    const { token } = await make('Bookkeeper');
    for (const format of exportFormats) {
      const answer = await withToken(exportOf(format, '2026-10-01', '2026-10-31'), token);
      expect(answer.status, format).toBe(200);
      await answer.text();
    }
    expect((await withToken(exportOf('takings-csv', '2001-01-01', '2001-01-31'), token)).status).toBe(200);
  });

  test('ends after 90 days unless another number was asked for, and after a year at most', async () => {
    const daysOf = async (expiry: object) => {
      const { expiresAt = '', createdAt = '' } = (await listed((await make('Dated', expiry)).id)) ?? {};
      return Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / 86_400_000);
    };
    expect([await daysOf({}), await daysOf({ validDays: 1 }), await daysOf({ validDays: 365 })]).toEqual([90, 1, 365]);
    for (const wrong of [{ validDays: 0 }, { validDays: 366 }, { validDays: 1.5 }]) {
      const refused = await browser.post('/api/admin/export-tokens', { name: 'Wrong', ...wrong });
      expect(refused.status, JSON.stringify(wrong)).toBe(422);
    }
    await expect(
      appSql`select admin.create_export_token(${Buffer.alloc(32)}, 'Long', 'ada', 366, 20)`,
    ).rejects.toMatchObject({ code: 'KLM03' });
  });

  test('that has expired opens nothing, and the answer and the security log say so', async () => {
    const { id, token } = await make('Forgotten script');
    await ownerSql`update admin.export_token set expires_at = '2026-11-01 12:00Z' where id = ${id}`;
    const refused = await withToken(exportOf('takings-csv', '2026-10-01', '2026-10-31'), token);
    expect([refused.status, await refused.json()]).toEqual([
      401,
      {
        code: 'ExpiredToken',
        message: 'This export token expired on Nov 1, 2026. Please create another one on the page Accounting.',
      },
    ]);
    expect(refused.headers.get('www-authenticate')).toBe('Bearer');
    expect(await listed(id)).toMatchObject({ ended: 'expired', usedAt: null });
    expect(await refusals('Forgotten script')).toEqual(['expired']);
  });

  test('opens nothing while the account of its creator is not active', async () => {
    const bea = { username: 'bea', password: 'copper lantern orchard 12' };
    await makePerson(appSql, bea, 'accountant');
    const theirs = openBrowser(shop, bea);
    await theirs.signIn();
    const made = await theirs.post('/api/admin/export-tokens', { name: 'Theirs' });
    const { token } = (await made.json()) as { token: string };
    await ownerSql`update admin.account set state = 'disabled' where username = 'bea'`;
    const refused = await withToken(exportOf('takings-csv', '2026-10-01', '2026-10-31'), token);
    expect([refused.status, ((await refused.json()) as { message: string }).message]).toEqual([
      401,
      'The account that created this export token is not active. Please ask an owner for another token.',
    ]);
  });

  test('records its use at most once an hour', async () => {
    const { id, token } = await make('Busy');
    const use = async () => {
      await (await withToken(exportOf('takings-csv', '2026-10-01', '2026-10-01'), token)).text();
      const [row] = await ownerSql<{ version: string; usedAt: Date }[]>`
        select xmin::text as version, used_at as "usedAt" from admin.export_token where id = ${id}`;
      return row;
    };
    const first = await use();
    expect(await use()).toEqual(first);
    await ownerSql`update admin.export_token set used_at = used_at - interval '61 minutes' where id = ${id}`;
    expect((await use())?.usedAt.getTime()).toBeGreaterThanOrEqual(first?.usedAt.getTime() ?? Infinity);
  });

  test('does not count among the 20 tokens when it has expired or was revoked', async () => {
    await ownerSql`update admin.export_token set revoked_at = now()`;
    for (let made = 0; made < 20; made += 1) await make(`Script ${made}`);
    const refused = await browser.post('/api/admin/export-tokens', { name: 'One more' });
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([409, 'TooManyTokens']);
    await ownerSql`update admin.export_token set expires_at = now() where name = 'Script 3'`;
    const both = await Promise.all([1, 2].map(() => browser.post('/api/admin/export-tokens', { name: 'At once' })));
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    await ownerSql`update admin.export_token set revoked_at = now()`;
  });
});

test('too many uses or guesses of an export token are throttled', async () => {
  const limited = await openShop(appSql, { throttling: { factor: 1, secret: 'exports' } });
  onTestFinished(limited.close);
  const { token } = await make('Busy script');
  const path = `/api/admin/ledger/export?format=takings-csv&from=2026-10-01&to=2026-10-01`;
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
