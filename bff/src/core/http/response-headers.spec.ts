import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { setHeaders } from './response-headers.ts';

function siteAt(origin: string) {
  return new Hono()
    .use(setHeaders(() => origin))
    .get('/page', (c) => c.html('', 200, { 'content-security-policy': "default-src 'self'" }))
    .get('/broken', () => {
      throw new Error('broken');
    })
    .get('/raw', () => new Response('raw'))
    .onError((_, c) => c.text('sorry', 500));
}

test.each(['/page', '/broken', '/raw', '/nothing'])(
  'the answer to %s carries the headers that all answers carry',
  async (path) => {
    const { headers } = await siteAt('https://orders.example').request(path);
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('content-security-policy')).toBe(
      path === '/page'
        ? "default-src 'self'"
        : "default-src 'none'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'",
    );
  },
);

test('browsers are not told to use https at an address without it', async () => {
  const { headers } = await siteAt('http://127.0.0.1:8080').request('/page');
  expect(headers.has('strict-transport-security')).toBe(false);
});
