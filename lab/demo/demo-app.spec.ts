import { expect, test } from 'vitest';
import { demoApp } from './demo-app.ts';

const orders = 'https://orders.example';
const app = demoApp(() => orders);

test('the page uses the embed script, with a link as the fallback', async () => {
  const page = await (await app.request('/demo/embed')).text();
  expect(page).toContain(`<script async src="${orders}/embed.js"></script>`);
  expect(page).toMatch(/<rug-order src="https:\/\/orders\.example\/"[^>]*>\s*<a href="https:\/\/orders\.example\/">/);
});

test.each(['none', 'silent'])('with script=%s the page holds a plain frame', async (script) => {
  const page = await (await app.request(`/demo/embed?script=${script}`)).text();
  expect(page).toContain(`<iframe src="${orders}/"`);
  expect(page).not.toContain('embed.js');
});

test('the page works under a strict content security policy', async () => {
  const policy = (await app.request('/demo/embed')).headers.get('content-security-policy');
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe');
});
