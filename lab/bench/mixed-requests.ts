import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { PaymentAnswer } from '@kilim/bff/contract/payment';
import type { QuoteAnswer } from '@kilim/bff/contract/quote';
import sharp from 'sharp';
import { simulatorDefaults } from '../../bff/src/start/env-variables.ts';
import { type Random, seeded } from '../seeded-random.ts';
import { signWebhook } from '../square/webhook-signature.ts';
import { addressOf, type ChildServer } from '../testing/child-server.ts';
import { paymentFor, twoRugs } from '../testing/shop.ts';
import { cookiesOf } from '../testing/sign-in.ts';

// Requests of customers, admins, Square and strangers, as on a busy day.

export type Target = Pick<ChildServer, 'url' | 'officeUrl'> & {
  readonly adminPassword: string;
  readonly metricsToken: string;
};

export type SendRequests = (least: number) => Promise<number>;

const concurrent = 8;

type Answered = { readonly status: number; readonly headers: Headers; readonly text: string };
type Ask = (path: string, expected: readonly number[], init?: RequestInit) => Promise<Answered>;
type Visitor = {
  readonly ask: Ask;
  readonly post: (path: string, expected: readonly number[], body: unknown) => Promise<Answered>;
  /** Signs in again when the session or the fresh password has ended. */
  readonly office: Ask;
  readonly random: Random;
  readonly target: Target;
  readonly paid: Paid[];
  readonly images: string[];
  readonly assets: readonly string[];
};
type Paid = { readonly orderId: string; readonly paymentId: string; readonly key: string };

/** Among 1000. */
const scenes: readonly (readonly [number, (visitor: Visitor) => Promise<void>])[] = [
  [150, visitHome],
  [180, askForQuotes],
  [200, buy],
  [60, buyWithSecondCard],
  [60, refundPart],
  [150, readLists],
  [60, readOrder],
  [50, sendRubbish],
  [40, deliverWebhook],
  [20, readImage],
  [3, uploadImage],
  [4, exportMonth],
  [3, ratePassword],
  [20, watchHealth],
];

/** An unexpected status ends it with an error, because refused requests would measure nothing. */
export async function openMixedRequests(target: Target): Promise<SendRequests> {
  let sent = 0;
  const random = seeded(1);
  const ask: Ask = async (path, expected, init) => {
    sent += 1;
    const send = () => fetch(addressOf(target, path), { redirect: 'manual', ...init });
    // After a body over the limit the server closes the connection, which fetch may just have used again.
    let answer = await send().catch(send);
    for (let tries = 1; answer.status === 503 && !expected.includes(503) && tries < 20; tries += 1) {
      await answer.text();
      await setTimeout(500);
      answer = await send().catch(send);
    }
    const text = await answer.text();
    if (!expected.includes(answer.status)) {
      throw new Error(`${init?.method ?? 'GET'} ${path}: ${answer.status} ${text.slice(0, 300)}`);
    }
    return { status: answer.status, headers: answer.headers, text };
  };
  const page = await ask('/', [200]);
  const visitor: Visitor = {
    ask,
    post: (path, expected, body) => ask(path, expected, json(body)),
    office: openOffice(ask, target),
    random,
    target,
    paid: [],
    images: [],
    assets: [...page.text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path),
  };
  await uploadImage(visitor);
  await buy(visitor);
  const total = scenes.reduce((sum, [weight]) => sum + weight, 0);
  const nextScene = () => {
    let at = random.whole(total);
    for (const [weight, scene] of scenes) {
      at -= weight;
      if (at < 0) return scene;
    }
    return visitHome;
  };
  return async (least) => {
    const before = sent;
    const send = async () => {
      while (sent - before < least) await nextScene()(visitor);
    };
    await Promise.all(Array.from({ length: concurrent }, send));
    return sent - before;
  };
}

function json(body: unknown, headers: Record<string, string> = {}): RequestInit {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: text };
}

function openOffice(ask: Ask, { adminPassword }: Target): Ask {
  let session: Promise<string> | undefined;
  const signIn = async () => {
    const credentials = { username: 'admin', password: adminPassword };
    return cookiesOf(await ask('/api/admin/login', [200], json(credentials, { 'sec-fetch-site': 'same-origin' })));
  };
  return async function office(path, expected, init): Promise<Answered> {
    session ??= signIn();
    const asked = session;
    const headers = {
      ...(init?.headers as Record<string, string>),
      cookie: await asked,
      'sec-fetch-site': 'same-origin',
    };
    const answer = await ask(path, [...expected, 401, 403], { ...init, headers });
    if (answer.status !== 401 && answer.status !== 403) return answer;
    if (session === asked) session = undefined;
    return office(path, expected, init);
  };
}

async function visitHome({ ask, random, assets }: Visitor): Promise<void> {
  const encodings = ['gzip', 'br', 'identity'] as const;
  const init = { headers: { 'accept-encoding': random.pick(encodings) } };
  await ask(random.pick(['/', '/', '/checkout', '/admin', '/embed.js']), [200], init);
  for (const path of ['/api/config', '/api/settings']) await ask(path, [200]);
  const [first = '/embed.js', ...others] = assets;
  await ask(random.pick([first, ...others]), [200], init);
}

async function quoted({ post }: Visitor): Promise<QuoteAnswer> {
  return JSON.parse((await post('/api/quote', [200], twoRugs)).text) as QuoteAnswer;
}

async function askForQuotes(visitor: Visitor): Promise<void> {
  for (let times = visitor.random.between(1, 3); times > 0; times -= 1) await quoted(visitor);
}

function tokenOf(card: string): string {
  return `cnon:sim-${card}-${randomBytes(12).toString('hex')}`;
}

async function buy(visitor: Visitor): Promise<void> {
  const card = visitor.random.pick(['ok', 'ok-mastercard', 'ok-amex', 'ok-discover', 'ok-jcb']);
  await pay(visitor, await quoted(visitor), card);
}

async function buyWithSecondCard(visitor: Visitor): Promise<void> {
  const quote = await quoted(visitor);
  const card = visitor.random.pick(['declined', 'insufficient', 'expired', 'sca-required']);
  await visitor.post('/api/process-payment', [402], paymentFor(quote, { token: tokenOf(card) }));
  await pay(visitor, quote, 'ok');
}

async function pay({ ask, post, random, paid }: Visitor, quote: QuoteAnswer, card: string): Promise<void> {
  const request = paymentFor(quote, { token: tokenOf(card) });
  const { text } = await post('/api/process-payment', [200], request);
  const answer = JSON.parse(text) as PaymentAnswer;
  if (!answer.success) throw new Error(`Not paid: ${text}`);
  const { orderId, paymentId } = answer;
  await ask(`/api/payment-attempts/${request.idempotencyKey}`, [200]);
  await ask(`/api/orders/payment/${paymentId}`, [200]);
  if (random.chance(0.3)) await ask(`/api/verify-payment/${paymentId}`, [200]);
  if (random.chance(0.1)) await post('/api/process-payment', [200], request);
  paid.push({ orderId, paymentId, key: request.idempotencyKey });
  if (paid.length > 200) paid.shift();
}

function anyPaid({ random, paid: [first, ...others] }: Visitor): Paid {
  if (first === undefined) throw new Error('No order is paid yet');
  return random.pick([first, ...others]);
}

async function refundPart(visitor: Visitor): Promise<void> {
  const { paymentId, orderId } = anyPaid(visitor);
  const idempotencyKey = crypto.randomUUID();
  const refund = { paymentId, amount: 0.01, reason: 'Goodwill', refundType: 'partial', idempotencyKey };
  await visitor.office('/api/admin/refund', [201, 409], json(refund));
  await visitor.office(`/api/admin/orders/${orderId}/refunds`, [200]);
}

async function readLists({ office, random }: Visitor): Promise<void> {
  const lists = [
    '/api/admin/orders',
    '/api/admin/orders?page=3&pageSize=50',
    '/api/admin/orders?search=lovelace&pageSize=100',
    '/api/admin/orders?status=partial',
    '/api/admin/refunds',
    '/api/admin/statistics',
    '/api/admin/books',
    '/api/admin/books/glance',
    '/api/admin/session',
    '/api/admin/settings',
    '/api/admin/settings/history',
    '/api/admin/ledger/contents?from=2026-11-01&to=2026-11-30',
  ] as const;
  await office(random.pick(lists), [200, 429]);
}

async function readOrder(visitor: Visitor): Promise<void> {
  await visitor.office(`/api/admin/orders/${anyPaid(visitor).orderId}`, [200]);
}

async function sendRubbish({ ask, post, random }: Visitor): Promise<void> {
  const rubbish = [
    () => ask(`/no-such-page/${random.whole(1e9)}`, [404]),
    () => ask(`/api/no-such-call-${random.whole(1e9)}`, [404]),
    () => ask(`/api/payment-attempts/${crypto.randomUUID()}`, [404]),
    () => ask(`/api/orders/payment/${crypto.randomUUID().replaceAll('-', '')}`, [404]),
    () => ask('/api/admin/orders', [401]),
    () => post('/api/quote', [400], '{"rugs": ['),
    () => post('/api/quote', [422], { rugs: [{ widthFeet: -1 }], more: randomBytes(20_000).toString('hex') }),
    () => post('/api/process-payment', [413], `"${'x'.repeat(400_000)}"`),
    () => post('/api/process-payment', [422], { token: 17 }),
    () => post('/api/webhooks/square', [401], { event_id: crypto.randomUUID(), type: 'payment.updated' }),
  ] as const;
  await random.pick(rubbish)();
}

async function deliverWebhook(visitor: Visitor): Promise<void> {
  const { ask, target } = visitor;
  const url = `${target.url}/api/webhooks/square`;
  const id = anyPaid(visitor).paymentId;
  const data = { type: 'payment', id, object: { payment: { id } } };
  const body = JSON.stringify({ event_id: crypto.randomUUID(), type: 'payment.updated', merchant_id: 'MSIM', data });
  const signature = signWebhook({ url, signatureKey: simulatorDefaults.webhookSignatureKey, body });
  await ask('/api/webhooks/square', [200], json(body, { 'x-square-hmacsha256-signature': signature }));
}

async function readImage({ ask, random, images: [first = '', ...others] }: Visitor): Promise<void> {
  await ask(random.pick([first, ...others]), [200]);
}

async function uploadImage({ office, random, images }: Visitor): Promise<void> {
  const background = { r: random.whole(256), g: random.whole(256), b: random.whole(256) };
  const picture = sharp({ create: { width: 2400, height: 1800, channels: 3, background, noise: noise() } });
  const file = new Blob([Uint8Array.from(await picture.jpeg().toBuffer())], { type: 'image/jpeg' });
  const form = new FormData();
  form.set('file', file, 'rug.jpg');
  const { text } = await office('/api/admin/images', [200], { method: 'POST', body: form });
  images.push((JSON.parse(text) as { secure_url: string }).secure_url);
}

function noise() {
  return { type: 'gaussian', mean: 128, sigma: 20 } as const;
}

async function exportMonth({ office, random }: Visitor): Promise<void> {
  const format = random.pick(['csv', 'jsonl', 'general-ledger-csv', 'quickbooks-csv', 'sales-tax-csv']);
  await office(`/api/admin/ledger/export?format=${format}&from=2026-11-01&to=2026-11-30`, [200, 429]);
}

async function ratePassword({ office, random }: Visitor): Promise<void> {
  const password = random.pick(['plover sandstone harbour 88', 'password1', 'kilim rugs']);
  await office('/api/admin/password-strength', [200], json({ username: 'admin', password }));
}

async function watchHealth({ ask, target }: Visitor): Promise<void> {
  await ask('/readyz', [200]);
  await ask('/metrics', [200], { headers: { authorization: `Bearer ${target.metricsToken}` } });
}
