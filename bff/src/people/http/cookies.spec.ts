import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { adminCookies } from './cookies.ts';

async function cookieLines(secure: boolean): Promise<string[]> {
  const cookies = adminCookies({ secure });
  const app = new Hono().get('/', (c) => {
    cookies.session.write(c, 'token');
    cookies.browser.write(c, 'token');
    return c.text('');
  });
  return (await app.request('/')).headers.getSetCookie();
}

test('over https the cookies belong to this host alone and travel encrypted only', async () => {
  expect(await cookieLines(true)).toEqual([
    '__Host-kilim_admin=token; Path=/; HttpOnly; Secure; SameSite=Strict',
    '__Host-kilim_browser=token; Max-Age=31536000; Path=/; HttpOnly; Secure; SameSite=Strict',
  ]);
});

test('over http the cookies have no prefix and no Secure, which browsers refuse there', async () => {
  expect(await cookieLines(false)).toEqual([
    'kilim_admin=token; Path=/; HttpOnly; SameSite=Strict',
    'kilim_browser=token; Max-Age=31536000; Path=/; HttpOnly; SameSite=Strict',
  ]);
});

test('over https a cookie without the prefix, which another host may have planted, is not read', async () => {
  const { session } = adminCookies({ secure: true });
  const app = new Hono().get('/', (c) => c.text(session.read(c) ?? 'none'));
  expect(await (await app.request('/', { headers: { cookie: 'kilim_admin=planted' } })).text()).toBe('none');
});
