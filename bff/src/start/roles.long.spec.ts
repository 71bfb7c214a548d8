import {
  may,
  notPermittedText,
  type Permission,
  permissions,
  type Right,
  type Role,
  roles,
} from '@kilim/domain/people/permissions';
import { ada, type Browser, makeAdministrator, makePerson, openBrowser } from '@kilim/lab/testing/administrator';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { adaLovelace, openShop, paid, paymentFor, quoted } from '@kilim/lab/testing/shop';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Calls } from '../../contract/call.ts';
import { callsOfOffice } from '../../contract/calls.ts';
import type { OrderDetailAnswer, OrderRowAnswer } from '../../contract/orders.ts';
import { uploadPath } from '../core/http/office/images.ts';

const calls: Calls = callsOfOffice;
const { appSql, ownerSql } = await testDatabase();
const shop = await openShop(appSql);
afterAll(shop.close);
await makeAdministrator(appSql);
const people = {
  owner: ada,
  clerk: { username: 'ben', password: 'copper lantern orchard 12' },
  accountant: { username: 'cleo', password: 'marble thicket violin 35' },
} satisfies Record<Role, typeof ada | { username: string; password: string }>;
await makePerson(appSql, people.clerk, 'clerk');
await makePerson(appSql, people.accountant, 'accountant');

type Route = { readonly method: string; readonly path: string; readonly permission: Permission };

/** With the permission of the contract. */
const routes: readonly Route[] = shop.routes
  .filter(({ path, method }) => path.startsWith('/api/admin/') && method !== 'ALL')
  .flatMap(({ method, path }) => {
    const call = calls[`${method} ${path}` as keyof typeof calls];
    if (call === undefined) throw new Error(`${method} ${path} is not in the contract`);
    return call.permission === undefined ? [] : [{ method, path, permission: call.permission }];
  });

test('the routes without a permission are the sign-in and the links of invitations', () => {
  const open = Object.entries(calls).filter(([, { permission }]) => permission === undefined);
  expect(open.map(([name]) => name)).toEqual([
    'POST /api/admin/login',
    'POST /api/admin/password-link',
    'POST /api/admin/password-link/use',
    'POST /api/admin/login/code',
    'POST /api/admin/login/passkey/options',
    'POST /api/admin/login/passkey',
  ]);
});

/** No call carries out an empty request, except one that ends sessions. */
function ask(browser: Browser, { method, path }: Route): Promise<Response> {
  const address = path.replaceAll(/:\w+/g, '0197a3c2-0000-7000-8000-000000000000');
  if (method === 'GET') return browser.get(address);
  const type = path === uploadPath ? 'multipart/form-data; boundary=x' : 'application/json';
  return browser.send(address, { method, headers: { 'content-type': type }, body: '{}' });
}

const codeOf = (body: unknown) => (body as { readonly code?: string } | undefined)?.code;

const endsSession = ({ method, path }: Route) => /\/(logout|sessions)$/.test(path) && method !== 'GET';

async function walk(browser: Browser, check: (route: Route, status: number, body: unknown) => void): Promise<void> {
  await browser.signIn();
  for (const route of routes) {
    const answer = await ask(browser, route);
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false;
    check(route, answer.status, isJson ? await answer.json() : undefined);
    if (endsSession(route)) await browser.signIn();
  }
}

test.each(roles)('each call lets %ss through, or says who may make it', async (role) => {
  const seen = { allowed: 0, refused: 0 };
  await walk(openBrowser(shop, people[role]), ({ method, path, permission }, status, body) => {
    const message = `${method} ${path}`;
    if (may(role, permission)) {
      seen.allowed += 1;
      expect(['NotSignedIn', 'NotPermitted', 'PasswordChangeRequired'], message).not.toContain(codeOf(body));
    } else {
      seen.refused += 1;
      expect([status, body], message).toEqual([
        403,
        { code: 'NotPermitted', message: notPermittedText(role, permission) },
      ]);
    }
  });
  expect(seen.allowed + seen.refused).toBe(routes.length);
  expect(seen.refused > 0).toBe(role !== 'owner');
});

test('eleven minutes after the password, each call with a recent proof asks for it, and no other', async () => {
  const browser = openBrowser(shop);
  await browser.signIn();
  for (const route of routes.filter((each) => !endsSession(each))) {
    await browser.age(ownerSql, 660);
    const answer = await ask(browser, route);
    const { needsRecentProof } = permissions[route.permission];
    expect(answer.status === 403, `${route.method} ${route.path}`).toBe(
      needsRecentProof || route.path.endsWith('/reauthenticate'),
    );
  }
});

test('with a temporary password a person can use only the own account, and replaces the password by another', async () => {
  const [username, password] = ['dora', 'quartz meadow lantern 41'];
  await makePerson(appSql, { username, password }, 'clerk');
  await ownerSql`update admin.account set must_change_password = true where username = ${username}`;
  const browser = openBrowser(shop, { username, password });
  await walk(browser, ({ permission, method, path }, status, body) => {
    const right: Right = permissions[permission];
    if (!may('clerk', permission) || right.whilePasswordIsTemporary === true) return;
    expect([status, body], `${method} ${path}`).toMatchObject([403, { code: 'PasswordChangeRequired' }]);
  });
  const token = await browser.signIn();
  expect(await (await browser.get('/api/admin/session')).json()).toMatchObject({ mustChangePassword: true });
  const set = (next: string) =>
    browser.post('/api/admin/set-password', { username, password: next }, { authorization: `Bearer ${token}` });
  expect([(await set(password)).status, (await set('another walnut ferry 71')).status]).toEqual([422, 200]);
  expect((await browser.get('/api/admin/orders')).status).toBe(200);
});

describe('an accountant', () => {
  const browser = openBrowser(shop, people.accountant);
  const owner = openBrowser(shop);
  let orderId = '';
  let paymentId = '';
  beforeAll(async () => {
    await Promise.all([browser.signIn(), owner.signIn()]);
    const quote = await quoted(shop);
    const body = await paid(shop, paymentFor(quote));
    orderId = quote.orderId;
    paymentId = body.paymentId;
  });
  const found = async (by: Browser, search: string) => {
    const answer = await by.get(`/api/admin/orders?payment=all&search=${encodeURIComponent(search)}`);
    return ((await answer.json()) as OrderRowAnswer[]).map(({ _id }) => _id);
  };
  const secrets = [adaLovelace.name, adaLovelace.email, adaLovelace.phone, adaLovelace.address, adaLovelace.city];

  test.each(['/api/admin/orders', '/api/admin/orders/:id', '/api/admin/orders?search=:id'])(
    'reads no contact in %s',
    async (path) => {
      const text = await (await browser.get(path.replace(':id', orderId))).text();
      expect(text).toContain(orderId);
      expect(text).toContain('A•• L•••••••');
      for (const secret of secrets) expect(text).not.toContain(secret);
      expect(await (await owner.get(path.replace(':id', orderId))).text()).toContain(adaLovelace.email);
    },
  );

  test('finds orders by id, and none by a part of a contact, which would reveal it', async () => {
    for (const id of [orderId, orderId.slice(-8), paymentId, paymentId.slice(0, 10)]) {
      expect(await found(browser, id)).toEqual([orderId]);
    }
    for (const guess of ['ada', 'Lovelace', adaLovelace.email, 'ada.lovelace@', adaLovelace.phone, '0142']) {
      expect(await found(browser, guess)).toEqual([]);
    }
    expect(await found(owner, adaLovelace.email)).toEqual([orderId]);
  });

  test('sees the state of an order as an owner does', async () => {
    const [masked, whole] = await Promise.all(
      [browser, owner].map(
        async (by) => (await (await by.get(`/api/admin/orders/${orderId}`)).json()) as OrderDetailAnswer,
      ),
    );
    expect({ ...masked, order: { ...masked?.order, customerInfo: null } }).toEqual({
      ...whole,
      order: { ...whole?.order, customerInfo: null },
    });
  });
});
