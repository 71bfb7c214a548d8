import { until } from '@kilim/lab/testing/patience';
import { postgresOfWorker, testDatabase } from '@kilim/lab/testing/postgres';
import { adaLovelace, openShop, paid, paymentFor, quoted, sendPayment } from '@kilim/lab/testing/shop';
import { afterAll, expect, test } from 'vitest';
import { connect } from '../database/database.ts';
import { isReachable } from '../database/repeat-while-away.ts';
import { createMetrics } from '../runtime/metrics.ts';
import { observed } from '../square/observed.ts';

const { appSql, ownerSql, url } = await testDatabase();
const token = 'a token for metrics';
const shop = await openShop(appSql, { metricsToken: token });
afterAll(shop.close);

const bearer = (value: string) => ({ authorization: `Bearer ${value}` });

async function read(): Promise<string> {
  const answer = await shop.get('/metrics', bearer(token));
  expect(answer.status).toBe(200);
  return answer.text();
}

const numberAt = (text: string, line: string) => {
  const found = text.split('\n').find((candidate) => candidate.startsWith(`${line} `));
  return found === undefined ? undefined : Number(found.slice(line.length + 1));
};

test('without a configured token there are no metrics, and the answer is JSON', async () => {
  const closed = await openShop(appSql);
  try {
    for (const headers of [{}, bearer(''), bearer('undefined')]) {
      const answer = await closed.get('/metrics', headers);
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ code: 'NotFound' });
    }
  } finally {
    await closed.close();
  }
});

test.each([{}, bearer('a token for metric'), bearer(''), { authorization: token }, { authorization: 'Basic YTpi' }])(
  'a request without the right token is refused (%o)',
  async (headers: Record<string, string>) => {
    const answer = await shop.get('/metrics', headers);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(await answer.text()).not.toContain('kilim_');
  },
);

test('answers are measured by route pattern, and no label holds an id or customer data', async () => {
  const quote = await quoted(shop);
  const payment = paymentFor(quote);
  const body = await paid(shop, payment);
  await sendPayment(shop, paymentFor(await quoted(shop), { token: 'cnon:card-nonce-declined' }));
  await shop.get(`/api/orders/payment/${body.paymentId}`);
  await shop.get(`/api/payment-attempts/${payment.idempotencyKey}`);
  await shop.get(`/api/nothing/${adaLovelace.email}`);
  await shop.request('/api/quote', { method: 'PROPFIND' });
  const text = await read();
  const counted = (method: string, route: string, status: number) =>
    numberAt(text, `kilim_http_answer_seconds_count{method="${method}",route="${route}",status="${status}"}`);
  expect(counted('POST', '/api/process-payment', 200)).toBe(1);
  expect(counted('POST', '/api/process-payment', 402)).toBe(1);
  expect(counted('GET', '/api/orders/payment/:paymentId', 200)).toBe(1);
  expect(counted('GET', '/api/payment-attempts/:key', 200)).toBe(1);
  expect(counted('GET', '/api/*', 404)).toBe(1);
  expect(counted('other', '/api/*', 403) ?? counted('other', '/api/*', 415)).toBe(1);
  expect(numberAt(text, 'kilim_payments_total{outcome="captured"}')).toBe(1);
  expect(numberAt(text, 'kilim_payments_total{outcome="declined"}')).toBe(1);
  const personal = Object.values(adaLovelace).filter((value) => value.length > 5);
  for (const secret of [...personal, body.paymentId, quote.orderId, payment.idempotencyKey, '192.0.2.10', 'cnon:']) {
    expect(text).not.toContain(secret);
  }
});

test('pending effects and hints are shown with their age', async () => {
  await ownerSql`
    insert into ledger.effect (key, order_id, payment_id, kind, state, wait_seconds, opened_at)
    select 'test:' || n, gen_random_uuid(), 'p' || n, 'charge', case when n = 1 then 'parked' else 'open' end,
      6, now() - make_interval(mins => n)
    from generate_series(1, 3) n`;
  await ownerSql`
    insert into ledger.square_hint (event_id, event_type, subject, square_id, received_at)
    values ('e-1', 'payment.updated', 'payment', 'sq-1', now() - interval '90 seconds')`;
  const text = await read();
  expect(numberAt(text, 'kilim_effects{state="open"}')).toBe(2);
  expect(numberAt(text, 'kilim_effects{state="parked"}')).toBe(1);
  expect(numberAt(text, 'kilim_oldest_effect_seconds{state="open"}')).toBeCloseTo(180, -1);
  expect(numberAt(text, 'kilim_oldest_effect_seconds{state="parked"}')).toBeCloseTo(60, -1);
  expect(numberAt(text, 'kilim_unhandled_hints')).toBe(1);
  expect(numberAt(text, 'kilim_oldest_unhandled_hint_seconds')).toBeCloseTo(90, -1);
  expect(numberAt(text, 'kilim_database_up')).toBe(1);
  await ownerSql`update ledger.square_hint set handled_at = now()`;
  await ownerSql`update ledger.effect set state = 'done'`;
  const settled = await read();
  expect(numberAt(settled, 'kilim_effects{state="open"}')).toBe(0);
  expect(numberAt(settled, 'kilim_unhandled_hints')).toBe(0);
  expect(numberAt(settled, 'kilim_oldest_unhandled_hint_seconds')).toBe(0);
});

test('mails that wait are shown with their age', async () => {
  await ownerSql`
    insert into ledger.mail (kind, about, state, opened_at, settled_at)
    values ('new-order', 'a', 'open', now() - interval '5 minutes', null), ('new-order', 'b', 'parked', now(), now())`;
  const text = await read();
  expect(numberAt(text, 'kilim_mails{state="open"}')).toBe(1);
  expect(numberAt(text, 'kilim_oldest_mail_seconds{state="open"}')).toBeCloseTo(300, -1);
  expect(numberAt(text, 'kilim_mails{state="parked"}')).toBe(1);
});

test('throttled requests are counted by limit', async () => {
  const strict = await openShop(appSql, { metricsToken: token, throttling: { factor: 0.001 } });
  try {
    const statuses = [await strict.get('/api/verify-payment/x'), await strict.get('/api/verify-payment/x')];
    expect(statuses.map(({ status }) => status)).toEqual([404, 429]);
    const text = await (await strict.get('/metrics', bearer(token))).text();
    expect(numberAt(text, 'kilim_throttled_total{limit="verify-network"}')).toBe(1);
  } finally {
    await strict.close();
  }
});

test('the duration of calls to Square is measured', async () => {
  const metrics = createMetrics();
  const looked = await observed(shop.world.card, { metrics, log: shop.world.log }).get('no-such-payment');
  expect(looked.kind).toBe('not-found');
  expect(await metrics.registry.metrics()).toContain(
    'kilim_square_call_seconds_count{verb="get",outcome="not-found"} 1',
  );
});

test('while the database is unreachable, the metrics answer, say so, and show no old values', async () => {
  const admin = connect({ url: postgresOfWorker(), max: 1, applicationName: 'kilim test admin' });
  const database = new URL(url).pathname.slice(1);
  await read();
  try {
    await admin`alter database ${admin(database)} allow_connections false`;
    await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${database}`;
    const text = await read();
    expect(numberAt(text, 'kilim_database_up')).toBe(0);
    expect(numberAt(text, 'kilim_effects{state="open"}')).toBeUndefined();
    expect(text).toContain('kilim_http_answer_seconds_count');
  } finally {
    await admin`alter database ${admin(database)} allow_connections true`;
    await until('the database answers', () => isReachable(ownerSql, 1000));
    await admin.end();
  }
});

test('the process reports its memory and the lag of its event loop', async () => {
  const text = await createMetrics({ ofProcess: true }).registry.metrics();
  expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
  expect(text).toContain('process_resident_memory_bytes');
  expect(await createMetrics().registry.metrics()).not.toContain('nodejs_eventloop_lag');
});
