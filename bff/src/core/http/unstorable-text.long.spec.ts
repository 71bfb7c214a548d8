import { makeAdministrator } from '@kilim/lab/testing/administrator';
import { metricsToken, openEveryCall } from '@kilim/lab/testing/every-call';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { openShop, type Shop } from '@kilim/lab/testing/shop';
import { afterAll, expect, test } from 'vitest';

// PostgreSQL stores no NUL, and half of a surrogate pair is no text. Both fit into JSON and into an address.

const { appSql } = await testDatabase();
const shop = await openShop(appSql, { metricsToken, throttling: { factor: 1000 } });
afterAll(shop.close);
await makeAdministrator(appSql);

/** Changes the next request. */
let change = (path: string, init: RequestInit) => ({ path, init });
const request: Shop['request'] = (path, init) => {
  const changed = change(path, init);
  return shop.request(changed.path, changed.init);
};
const calls = await openEveryCall({
  ...shop,
  request,
  get: (path, headers = {}) => request(path, { headers }),
  post: (path, body, headers = {}) =>
    request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
});

/** @returns the body with the text behind its string of this number. */
function behindString(body: string, number: number, text: string): string {
  let found = -1;
  return JSON.stringify(JSON.parse(body), (_, value: unknown) => {
    if (typeof value !== 'string') return value;
    found += 1;
    return found === number ? value + text : value;
  });
}

function stringsIn(body: string): number {
  let found = 0;
  JSON.parse(body, (_, value: unknown) => {
    if (typeof value === 'string') found += 1;
    return value;
  });
  return found;
}

/** What the call sends first. */
async function seen(call: () => Promise<Response>): Promise<{ readonly path: string; readonly body: string }> {
  let first: { readonly path: string; readonly body: string } | undefined;
  change = (path, init) => {
    first ??= { path, body: typeof init.body === 'string' ? init.body : '' };
    return { path, init };
  };
  await call();
  return first ?? { path: '', body: '' };
}

test.each(Object.keys(calls).filter((name) => !name.includes('webhooks')))('%s', async (name) => {
  const call = calls[name] ?? (() => Promise.reject(new Error('No such call')));
  const { path, body } = await seen(call);
  const strings = body.startsWith('{') ? stringsIn(body) : 0;
  const segments = name
    .split(/[ /]/)
    .slice(2)
    .flatMap((part, index) => (part.startsWith(':') ? [index + 1] : []));
  const changes: (typeof change)[] = ['\0', '\ud800'].flatMap((text) => [
    ...Array.from(
      { length: strings },
      (_, number) => (to: string, init: RequestInit) =>
        to === path && init.body === body
          ? { path: to, init: { ...init, body: behindString(body, number, text) } }
          : { path: to, init },
    ),
    ...segments.map((segment) => (to: string, init: RequestInit) => {
      const parts = to.split('/');
      parts[segment] += encodeURIComponent(text.replace('\ud800', '\ufffd'));
      return { path: to === path ? parts.join('/') : to, init };
    }),
  ]);
  for (const each of changes) {
    change = each;
    const answer = await call();
    expect(answer.status, await answer.text()).toBeLessThan(500);
  }
});
