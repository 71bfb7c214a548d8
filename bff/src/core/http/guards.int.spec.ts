import { once } from 'node:events';
import { connect } from 'node:net';
import { patience } from '@kilim/lab/testing/patience';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { openShop, paymentFor, quoted, twoRugs } from '@kilim/lab/testing/shop';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { TooBusy } from '../runtime/limit-concurrency.ts';

const { appSql, ownerSql } = await testDatabase();
const shop = await openShop(appSql, { metricsToken: 'a token for metrics' });
afterAll(shop.close);

const writes = ['/api/quote', '/api/visits', '/api/process-payment', '/api/save-order'];

describe('a page of another site', () => {
  test.each(writes)('cannot post JSON to %s', async (path) => {
    const foreign = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'cross-site', origin: 'http://kilim.test' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://kilim.test.evil.example' },
      { origin: 'https://kilim.test' },
    ];
    for (const headers of foreign) {
      const answer = await shop.post(path, twoRugs, headers);
      expect(answer.status).toBe(403);
      expect(await answer.json()).toMatchObject({ code: 'ForeignOrigin' });
    }
  });

  test.each(writes)('cannot send a form to %s, nor JSON under another content type', async (path) => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '']) {
      expect((await shop.post(path, twoRugs, { 'content-type': type })).status).toBe(415);
    }
    expect((await shop.post(path, twoRugs, { 'content-type': 'application/jsonp' })).status).toBe(415);
  });

  test('gets no permission from a preflight', async () => {
    for (const path of writes) {
      const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
      const answer = await shop.request(path, { method: 'OPTIONS', headers });
      expect(answer.status).toBe(404);
      expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });

  test('is refused; our own pages and clients other than browsers are accepted', async () => {
    for (const headers of [{ 'sec-fetch-site': 'same-origin' }, { origin: 'http://kilim.test' }, {}]) {
      expect((await shop.post('/api/quote', twoRugs, headers)).status).toBe(200);
    }
  });
});

describe('another spelling of a path', () => {
  test.each([
    '//api/process-payment',
    '/api//process-payment',
    '/api/process-payment/',
    '/API/process-payment',
    '/api/Process-Payment',
    '/api/process%2Dpayment%00',
    '/api%2Fprocess-payment',
    '/api/./../api//process-payment',
    '/api/process-payment%0A',
    '/api/process-payment;x=1',
  ])('%s does not bypass the guards', async (path) => {
    const payment = paymentFor(await quoted(shop));
    const before = (await ownerSql`select from ledger.event`).length;
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { 'content-type': 'text/plain' }, {}]) {
      const answer = await shop.post(path, payment, headers as Record<string, string>);
      expect([403, 404, 405, 415]).toContain(answer.status);
    }
    expect((await ownerSql`select from ledger.event`).length).toBe(before);
  });

  test.each(['/api//webhooks/square', '/api/webhooks/square/', '/API/webhooks/square', '/api/webhooks%2Fsquare'])(
    '%s is no way around the guard against other sites',
    async (path) => {
      const answer = await shop.post(path, {}, { 'sec-fetch-site': 'cross-site' });
      expect([401, 403, 404]).toContain(answer.status);
    },
  );

  test.each(['//metrics', '/metrics/', '/METRICS', '/metrics%2F', '/api/metrics', '/metrics%00'])(
    '%s shows no metrics',
    async (path) => {
      for (const headers of [{}, { authorization: 'Bearer wrong' }]) {
        const answer = await shop.get(path, headers as Record<string, string>);
        expect([401, 404]).toContain(answer.status);
        expect(await answer.text()).not.toContain('kilim_');
      }
    },
  );
});

describe('another method', () => {
  test.each([
    ['/api/config', 200],
    ['/api/settings', 200],
    ['/healthz', 200],
    ['/api/payment-attempts/no-such-attempt-0001', 404],
    ['/metrics', 401],
  ])('HEAD on %s answers as GET does, without a body', async (path, status) => {
    const [head, get] = [await shop.request(path, { method: 'HEAD' }), await shop.get(path)];
    expect([head.status, get.status]).toEqual([status, status]);
    expect(await head.text()).toBe('');
  });

  test.each(['HEAD', 'GET', 'OPTIONS'])('%s neither charges, quotes nor reveals data', async (method) => {
    const before = (await ownerSql`select from ledger.event`).length;
    for (const path of [...writes, '/api/webhooks/square']) {
      const answer = await shop.request(path, { method });
      expect(answer.status).toBe(404);
      expect(answer.headers.get('set-cookie')).toBeNull();
    }
    expect((await ownerSql`select from ledger.event`).length).toBe(before);
  });

  test.each(['PUT', 'PATCH', 'DELETE'])('%s is not supported', async (method) => {
    const headers = { 'content-type': 'application/json' };
    for (const path of [...writes, '/api/webhooks/square', '/api/settings']) {
      expect((await shop.request(path, { method, headers, body: '{}' })).status).toBe(404);
    }
  });
});

test('each answer, including refusals and probes, loads nothing and may not be framed', async () => {
  const answers = [
    await shop.get('/healthz'),
    await shop.request('/readyz', { method: 'OPTIONS' }),
    await shop.get('/metrics'),
    await shop.get('/images/nothing.webp'),
    await shop.get('/.well-known/apple-developer-merchantid-domain-association'),
    await shop.get('/nothing'),
    await shop.get('/api/config'),
    await shop.get('/api/nothing'),
    await shop.post('/api/quote', `"${'x'.repeat(300_000)}"`),
    await shop.get('/api/admin/orders'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 401, 404, 404, 404, 200, 404, 413, 401]);
  for (const { headers } of answers) {
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'",
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  }
});

test('the ledger keeps the id that the server gave a request, never the one that a client sent', async () => {
  const behindProxy = await openShop(appSql, { throttling: { trustedProxies: 1 } });
  const given = '0198c2f4-6d2c-7c3e-9b1a-2f5d8a7c4e10';
  const paid = await behindProxy.post('/api/process-payment', paymentFor(await quoted(behindProxy)), {
    'x-request-id': given,
  });
  expect(paid.status).toBe(200);
  const own = paid.headers.get('x-request-id') ?? '';
  const kept = await ownerSql<{ id: string }[]>`select distinct request_id as id from ledger.event`;
  expect(kept.map(({ id }) => id)).toContain(own);
  expect(kept.map(({ id }) => id)).not.toContain(given);
  const line = behindProxy.logged.find((text) => text.includes('"answered"') && text.includes(own)) ?? '{}';
  expect(JSON.parse(line)).toMatchObject({ requestId: own, clientRequestId: given });
  await behindProxy.close();
});

test('each answer, including refusals, forbids caching and content sniffing', async () => {
  const answers = [
    await shop.get('/api/settings'),
    await shop.get('/api/nothing'),
    await shop.post('/api/quote', twoRugs, { 'sec-fetch-site': 'cross-site' }),
    await shop.post('/api/quote', `"${'x'.repeat(300_000)}"`),
    await shop.post('/api/webhooks/square', {}),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 403, 413, 401]);
  for (const { headers } of answers) {
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  }
});

test('a client that leaves in the middle of its request is no error of the server', async () => {
  const listening = await openShop(appSql, { isToldBySquare: true });
  const { port } = new URL(listening.listeningUrl ?? '');
  const socket = connect(Number(port), '127.0.0.1');
  const head = 'POST /api/quote HTTP/1.1\r\nHost: kilim.test\r\nContent-Type: application/json\r\nContent-Length: 1000';
  // The server has read both requests when it answers the first one.
  socket.write(`GET /healthz HTTP/1.1\r\nHost: kilim.test\r\n\r\n${head}\r\n\r\n{"rugs": [`);
  await once(socket, 'data');
  socket.destroy();
  await vi.waitFor(() => {
    const answered = listening.logged.filter((line) => line.includes('"/api/quote"'));
    expect(answered.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ level: 'info', status: 400 }]);
  }, patience);
  expect(listening.logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  await listening.close();
});

test('work that this machine is too busy for is answered 503, with a sentence and a time to try again', async () => {
  const now = () => {
    throw new TooBusy('Too much work.');
  };
  const busy = await openShop(appSql, { now });
  const answer = await busy.post('/api/quote', twoRugs);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
  expect(await answer.json()).toEqual({
    code: 'Unavailable',
    message: 'Our server is very busy just now. Please try again in a moment.',
  });
  await busy.close();
});

describe('what a browser measured of a visit', () => {
  const visit = { page: '/checkout', isPhone: true, largestPaintMs: 812, interactionMs: 64, layoutShift: 0.004 };

  test('is counted by page and device, and nothing of it is kept', async () => {
    expect((await shop.post('/api/visits', visit)).status).toBe(204);
    expect((await shop.post('/api/visits', { page: '/', isPhone: false })).status).toBe(204);
    const text = await shop.metrics.registry.metrics();
    const labels = 'page="/checkout",device="phone"';
    expect(text).toContain(`kilim_visit_largest_paint_seconds_bucket{le="1",${labels}} 1`);
    expect(text).toContain(`kilim_visit_largest_paint_seconds_bucket{le="0.75",${labels}} 0`);
    expect(text).toContain(`kilim_visit_interaction_seconds_sum{${labels}} 0.064`);
    expect(text).toContain(`kilim_visit_layout_shift_bucket{le="0.01",${labels}} 1`);
    expect(text).not.toContain('kilim_visit_largest_paint_seconds_count{page="/",device="other"}');
  });

  test.each([
    { ...visit, page: '/ada@example.com' },
    { ...visit, isPhone: 'yes' },
    { ...visit, largestPaintMs: -1 },
    { ...visit, interactionMs: 1e9 },
    { ...visit, layoutShift: '0' },
    { ...visit, email: 'ada@example.com' },
    [visit],
  ])('is refused when it is anything else: %o', async (body) => {
    expect((await shop.post('/api/visits', body)).status).toBe(422);
  });

  test('is limited to 30 a minute from one address', async () => {
    const strict = await openShop(appSql, { throttling: { factor: 1, secret: crypto.randomUUID() } });
    const statuses: number[] = [];
    for (let time = 0; time < 31; time += 1) statuses.push((await strict.post('/api/visits', visit)).status);
    expect(statuses.filter((status) => status === 204)).toHaveLength(30);
    expect(statuses.at(-1)).toBe(429);
    await strict.close();
  });
});

describe('a browser’s report of a blocked resource', () => {
  const report = {
    'csp-report': { 'document-uri': 'http://kilim.test/?email=ada@example.com', 'blocked-uri': 'eval' },
  };

  test('is counted and logged without personal data', async () => {
    const answer = await shop.post('/api/csp-reports', report, { 'content-type': 'application/csp-report' });
    expect(answer.status).toBe(204);
    const line = shop.logged.findLast((text) => text.includes('content security policy')) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({ level: 'warn', page: '/', blocked: 'eval', directive: 'other' });
    expect(line).not.toMatch(/ada@|email=/);
    expect(await shop.metrics.registry.metrics()).toContain('kilim_csp_reports_total{directive="other"} 1');
  });

  test('is logged once a minute, and counted each time', async () => {
    const report = { 'csp-report': { 'effective-directive': 'img-src', 'blocked-uri': 'https://cdn.example/a.png' } };
    const send = () => shop.post('/api/csp-reports', report, { 'content-type': 'application/csp-report' });
    for (let time = 0; time < 7; time += 1) expect((await send()).status).toBe(204);
    expect(shop.logged.filter((line) => line.includes('https://cdn.example'))).toHaveLength(1);
    expect(await shop.metrics.registry.metrics()).toContain('kilim_csp_reports_total{directive="img-src"} 7');
  });

  test('is refused when it is too large, malformed or of another type', async () => {
    const send = async (body: unknown, type = 'application/reports+json') =>
      (await shop.post('/api/csp-reports', body, { 'content-type': type })).status;
    expect(await send(`"${'x'.repeat(17_000)}"`)).toBe(413);
    expect(await send('{')).toBe(400);
    expect(await send('7')).toBe(400);
    expect(await send(report, 'text/plain')).toBe(415);
  });

  test('is limited to 30 a minute from one address', async () => {
    const strict = await openShop(appSql, { throttling: { factor: 1, secret: crypto.randomUUID() } });
    const statuses: number[] = [];
    for (let time = 0; time < 31; time += 1) statuses.push((await strict.post('/api/csp-reports', report)).status);
    expect(statuses.filter((status) => status === 204)).toHaveLength(30);
    expect(statuses.at(-1)).toBe(429);
    await strict.close();
  });
});
