import { ada, type Browser, makeAdministrator, makePerson, openBrowser } from '@kilim/lab/testing/administrator';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { addApp, codeOf } from '@kilim/lab/testing/second-factor';
import { openShop } from '@kilim/lab/testing/shop';
import { afterAll, beforeAll, expect, test } from 'vitest';

const { appSql, ownerSql } = await testDatabase();
const shop = await openShop(appSql);
afterAll(shop.close);
await makeAdministrator(appSql);
const olga = { username: 'olga', password: 'quartz meadow lantern 41' };
await makePerson(appSql, olga, 'owner');

// A thief has given Ada's password, and still lacks the code.
let browser: Browser;
let token: string;
let secret: string;
let password: string = ada.password;
beforeAll(async () => {
  browser = openBrowser(shop);
  token = await browser.signIn();
  ({ secret } = await addApp(browser));
});

/** By a new password, a disabled account or a reset, for each column that names an account. */
const decided = {
  'account.username': 'stays',
  'export_token.created_by': 'revoked when disabled, and otherwise opens exports only',
  'known_browser.username': 'ends',
  'one_time_code.username': 'stays: a factor of the person, until it is reset',
  'passkey.username': 'stays: a factor of the person, until it is reset',
  'passkey_user.username': 'stays: the name of the account for its passkeys',
  'password_link.created_by': 'ends with the row',
  'password_link.username': 'ends',
  'pending_sign_in.username': 'ends',
  'recovery_code.username': 'stays: a factor of the person, until it is reset',
  'security_entry.actor': 'stays: what happened',
  'security_entry.username': 'stays: what happened',
  'session.username': 'ends',
} as const satisfies Record<string, string>;

test('each column of schema admin that names an account is decided', async () => {
  const columns = await ownerSql<{ place: string }[]>`
    select table_name || '.' || column_name as place from information_schema.columns
    join information_schema.tables using (table_schema, table_name)
    where table_schema = 'admin' and table_type = 'BASE TABLE' and column_name in ('username', 'created_by', 'actor')
    order by 1`;
  expect(columns.map(({ place }) => place)).toEqual(Object.keys(decided).toSorted());
});

const ending = Object.entries(decided).filter(([, decision]) => decision === 'ends');

async function rowsThatEnd(username: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [place] of ending) {
    const [table = '', column = ''] = place.split('.');
    const rows = await ownerSql`select from ${ownerSql(`admin.${table}`)} where ${ownerSql(column)} = ${username}`;
    if (rows.length > 0) found.push(table);
  }
  return found;
}

async function startHalfway(): Promise<Browser> {
  const thief = openBrowser(shop);
  expect((await thief.post('/api/admin/login', { username: 'ada', password })).status).toBe(202);
  return thief;
}

const finish = async (thief: Browser, later: number) => {
  const answer = await thief.post('/api/admin/login/code', { code: codeOf(secret, later) });
  return [answer.status, ((await answer.json()) as { readonly code?: string }).code];
};

test('a sign-in that waits for the second factor ends with a new password', async () => {
  const thief = await startHalfway();
  password = 'walnut terrace compass 17';
  const proof = { authorization: `Bearer ${token}` };
  const changed = await browser.post('/api/admin/set-password', { username: 'ada', password }, proof);
  expect(changed.status, await changed.clone().text()).toBe(200);
  // The person goes on in the browser with the new password.
  expect(await rowsThatEnd('ada')).toEqual(['session']);
  expect(await finish(thief, 0)).toEqual([401, 'SignInExpired']);
});

test('a sign-in that waits for the second factor ends when the account is disabled', async () => {
  const owner = openBrowser(shop, olga);
  await owner.signIn();
  const thief = await startHalfway();
  for (const what of ['disable', 'enable']) {
    const answer = await owner.post(`/api/admin/people/ada/${what}`, {});
    expect(answer.status, await answer.clone().text()).toBe(204);
  }
  expect(await rowsThatEnd('ada')).toEqual([]);
  expect(await finish(thief, 0)).toEqual([401, 'SignInExpired']);
});
