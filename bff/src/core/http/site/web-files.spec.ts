import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pageDataOf } from '@kilim/lab/testing/page-data';
import { afterAll, expect, test } from 'vitest';
import { webFiles } from './web-files.ts';

const root = mkdtempSync(join(tmpdir(), 'kilim-files-'));
afterAll(() => rmSync(root, { recursive: true }));
writeFileSync(join(root, 'favicon.ico'), 'icon');

const app = webFiles({ root, data: () => pageDataOf() });

test('browsers keep the icons for a day, and ask again for what is missing', async () => {
  const { status, headers } = await app.request('/favicon.ico');
  expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=86400']);
  const missing = await app.request('/preview.png');
  expect([missing.status, missing.headers.get('cache-control')]).toEqual([404, null]);
});

test('the manifest has the name of the shop and its icons', async () => {
  const answer = await app.request('/manifest.webmanifest');
  expect(answer.headers.get('content-type')).toBe('application/manifest+json');
  expect(await answer.json()).toMatchObject({
    name: 'Kilim',
    start_url: '/',
    icons: [{ src: '/icon-192.png' }, { src: '/icon-512.png' }],
  });
});

test('robots may read the pages, and not the calls', async () => {
  expect(await (await app.request('/robots.txt')).text()).toBe('User-agent: *\nDisallow: /api/\n');
});
