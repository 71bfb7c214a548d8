import type { BrowserContext, Page } from '@playwright/test';
import { expect, placeOrder, refundsAtSquare, signInTo, test } from './back-office.ts';
import { orderUpToCheckout, type Shop, smallRug } from './shop.ts';

// A script on a customer's page, as an injection could run it, with an administrator signed in to the back office in
// the same browser. The page's policy is off, so that the server and the rules for origins stand alone.

const customer = 'Katherine Johnson';

type Attack = { readonly office: string; readonly refund: object };
type Outcomes = Readonly<Record<string, unknown>>;

/** In the page of the shop; each attempt ends with what the script learned. */
async function attack({ office, refund }: Attack): Promise<Outcomes> {
  const json = { 'content-type': 'application/json' };
  const body = JSON.stringify(refund);
  const tried = (attempt: Promise<unknown>) => attempt.catch((error: Error) => error.name);
  const read = async (url: string, init: RequestInit = {}) => {
    const answer = await fetch(url, { credentials: 'include', ...init });
    return answer.type === 'opaque' ? 'opaque' : `${answer.status} ${await answer.text()}`;
  };
  const load = (name: 'img' | 'script', src: string) =>
    new Promise((done) => {
      const element = document.createElement(name);
      element.addEventListener('load', () => done('loaded'));
      element.addEventListener('error', () => done('error'));
      element.src = src;
      document.body.append(element);
    });
  const loaded = (element: Element) => new Promise((done) => element.addEventListener('load', done, { once: true }));
  const textIn = ({ contentDocument }: HTMLIFrameElement) => contentDocument?.body.textContent ?? 'unreadable';
  const frameOf = async (path: string) => {
    const frame = Object.assign(document.createElement('iframe'), { src: `${office}${path}` });
    const isLoaded = loaded(frame);
    document.body.append(frame);
    await isLoaded;
    return textIn(frame);
  };
  const post = async (enctype: string) => {
    const frame = Object.assign(document.createElement('iframe'), { name: enctype });
    const field = Object.assign(document.createElement('input'), { name: `${body.slice(0, -1)},"x`, value: '":""}' });
    const action = `${office}/api/admin/refund`;
    const form = Object.assign(document.createElement('form'), { method: 'post', action, enctype, target: enctype });
    form.append(field);
    document.body.append(frame, form);
    const isAnswered = loaded(frame);
    form.submit();
    await isAnswered;
    return textIn(frame);
  };
  const open = async (path: string) => {
    const opened = window.open(`${office}${path}`, '_blank');
    for (let tries = 0; tries < 600 && opened?.closed === false; tries += 1) {
      await new Promise((later) => setTimeout(later, 50));
    }
    return opened === null || opened.closed ? 'severed' : 'reachable';
  };
  const orders = '/api/admin/orders';
  return {
    ownRead: await tried(read(orders)),
    ownRefund: await tried(read('/api/admin/refund', { method: 'POST', headers: json, body })),
    ownPage: await tried(read('/admin/orders')),
    read: await tried(read(`${office}${orders}`)),
    blindRead: await tried(read(`${office}${orders}`, { mode: 'no-cors' })),
    export: await tried(read(`${office}/api/admin/ledger/export?format=jsonl`)),
    refund: await tried(read(`${office}/api/admin/refund`, { method: 'POST', headers: json, body })),
    blindRefund: await tried(read(`${office}/api/admin/refund`, { method: 'POST', mode: 'no-cors', body })),
    beacon: navigator.sendBeacon(`${office}/api/admin/refund`, body),
    image: await load('img', `${office}${orders}`),
    script: await load('script', `${office}${orders}`),
    framedPage: await tried(frameOf('/admin/orders')),
    framedCall: await tried(frameOf(orders)),
    form: await tried(post('text/plain')),
    encodedForm: await tried(post('application/x-www-form-urlencoded')),
    opened: await open('/admin/orders'),
  };
}

const nothing: Outcomes = {
  ownRead: expect.stringMatching(/^404 /),
  ownRefund: expect.stringMatching(/^404 /),
  ...{ ownPage: 'TypeError', read: 'TypeError', blindRead: 'TypeError', export: 'TypeError' },
  ...{ refund: 'TypeError', blindRefund: 'TypeError' },
  // The browser sends it, and the script learns nothing.
  beacon: true,
  ...{ image: 'error', script: 'error' },
  ...{ framedPage: 'unreadable', framedCall: 'unreadable', form: 'unreadable', encodedForm: 'unreadable' },
  opened: 'severed',
};

/** To requests that carried the session. */
function watchCalls(context: BrowserContext): () => Promise<readonly string[]> {
  const answers: Promise<readonly string[]>[] = [];
  context.on('response', (response) => {
    const { pathname, port } = new URL(response.url());
    if (!pathname.startsWith('/api/admin')) return;
    answers.push(
      response
        .request()
        .allHeaders()
        .then(({ cookie = '' }) => (cookie.includes('kilim_admin=') ? [`${port} ${response.status()}`] : [])),
    );
  });
  return async () => (await Promise.all(answers)).flat();
}

async function refundEvents(shop: Shop, orderId: string): Promise<number> {
  const [row] = await shop.sql<{ count: number }[]>`
    select count(*)::int as count from ledger.event
    where stream_id = 'order-' || ${orderId}::text and type like 'Refund%'`;
  return row?.count ?? 0;
}

const openHome = (page: Page) => page.goto('/');
const openCheckout = (page: Page) => orderUpToCheckout(page, smallRug);

for (const host of ['127.0.0.1', 'localhost']) {
  test(`with an administrator signed in, a script on the shop's pages at ${host} neither reads from the back office nor refunds`, {
    tag: '@desktop',
  }, async ({ shop, browser }) => {
    const { orderId, paymentId } = await placeOrder(shop, customer);
    const refund = {
      ...{ paymentId, amount: 1, reason: 'Goodwill', refundType: 'partial' },
      idempotencyKey: crypto.randomUUID(),
    };
    const baseURL = `http://${host}:${new URL(shop.url).port}`;
    const context = await browser.newContext({ baseURL, storageState: await signInTo(shop), bypassCSP: true });
    const answers = watchCalls(context);
    for (const open of [openHome, openCheckout]) {
      const page = await context.newPage();
      await open(page);
      const learned = await page.evaluate(attack, { office: shop.officeUrl, refund });
      expect(learned).toEqual(nothing);
      expect(JSON.stringify(learned)).not.toContain(customer);
    }
    expect(await refundEvents(shop, orderId)).toBe(0);
    expect(await refundsAtSquare(shop, orderId)).toEqual([]);
    const office = new URL(shop.officeUrl).port;
    const refused = (await answers()).filter((answer) => !answer.startsWith(`${office} 200`));
    // Cookies do not separate ports: on the office's own host name, the browser sent the session.
    if (host === 'localhost')
      expect(new Set(refused)).toEqual(new Set([`${office} 403`, `${new URL(shop.url).port} 404`]));

    const page = await context.newPage();
    await page.goto(`${shop.officeUrl}/admin/orders`);
    const [orders, refunded] = await page.evaluate(async (body) => {
      const headers = { 'content-type': 'application/json' };
      const listed = await fetch('/api/admin/orders');
      const made = await fetch('/api/admin/refund', { method: 'POST', headers, body: JSON.stringify(body) });
      return [await listed.text(), made.status];
    }, refund);
    expect(orders).toContain(customer);
    expect(refunded).toBe(201);
    await context.close();
  });
}

test("the shop's address of the back office leads to the back office, and its home page does too", {
  tag: '@desktop',
}, async ({ shop, page }) => {
  await page.goto(`${shop.url}/admin/refunds?search=Lovelace`);
  await expect(page).toHaveURL(`${shop.officeUrl}/admin/refunds?search=Lovelace`);
  await page.goto(shop.officeUrl);
  await expect(page).toHaveURL(`${shop.officeUrl}/admin/today`);
});
