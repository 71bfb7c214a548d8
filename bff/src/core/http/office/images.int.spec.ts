import { makeAdministrator, openBrowser } from '@kilim/lab/testing/administrator';
import { testDatabase } from '@kilim/lab/testing/postgres';
import { openShop } from '@kilim/lab/testing/shop';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const { appSql, ownerSql } = await testDatabase();
const shop = await openShop(appSql);
afterAll(shop.close);
await makeAdministrator(appSql);
const admin = openBrowser(shop);
beforeAll(() => admin.signIn());

const picture = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#2D3A72' } })
  .png()
  .toBuffer();

function upload(file: string | Uint8Array<ArrayBuffer>, type = 'image/png', browser = admin) {
  const form = new FormData();
  form.set('file', new Blob([file], { type }), '../../../<script>.png');
  form.set('upload_preset', 'whatever');
  return browser.send('/api/admin/images', { method: 'POST', body: form });
}

describe('an uploaded image', () => {
  test('is served under its hash for ever, as a picture and nothing else', async () => {
    const answer = await upload(new Uint8Array(picture));
    expect(answer.status).toBe(200);
    const { secure_url: address } = (await answer.json()) as { secure_url: string };
    expect(address).toMatch(/^\/images\/[0-9a-f]{64}\.webp$/);
    const served = await shop.get(address);
    expect(served.status).toBe(200);
    expect(Object.fromEntries(served.headers)).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy':
        "default-src 'none'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'; sandbox",
    });
    expect(await sharp(await served.arrayBuffer()).metadata()).toMatchObject({ format: 'webp', width: 60, height: 40 });
    const settings = await admin.get('/api/admin/settings');
    const { version } = (await settings.json()) as { version: number };
    const saved = await admin.post('/api/admin/settings', { version, addOnImages: { pad: address } });
    expect(await saved.json()).toMatchObject({ addOnImages: { pad: address } });
  });

  test('that is uploaded twice is stored once', async () => {
    const [first, second] = await Promise.all([upload(new Uint8Array(picture)), upload(new Uint8Array(picture))]);
    expect(await first.json()).toEqual(await second.json());
    expect(await ownerSql`select 1 from image.kept`).toHaveLength(1);
  });

  test('is recognised by its content, not by its type or name', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    for (const type of ['image/svg+xml', 'image/png']) {
      const answer = await upload(svg, type);
      expect(answer.status).toBe(422);
      expect(await answer.json()).toMatchObject({ message: 'Please choose a JPEG, PNG or WebP image.' });
    }
    expect((await upload(new Uint8Array(picture), 'text/html')).status).toBe(200);
  });

  test('larger than 5 MB is refused before it is read', async () => {
    for (const megabytes of [5.02, 6]) {
      const answer = await upload(new Uint8Array(megabytes * 1024 * 1024));
      expect(answer.status).toBe(413);
      expect(await answer.json()).toMatchObject({ message: /larger than 5 MB/ });
    }
  });

  test('needs a session', async () => {
    expect((await upload(new Uint8Array(picture), 'image/png', openBrowser(shop))).status).toBe(401);
  });

  test.each(['', 'x', '..%2f..%2fetc%2fpasswd', `${'0'.repeat(64)}.webp`, `${'0'.repeat(64)}.svg`])(
    'is not found under /images/%s',
    async (name) => {
      expect((await shop.get(`/images/${name}`)).status).toBe(404);
    },
  );
});

test('a form without a file, or with a text in its place, is refused with a message', async () => {
  const form = new FormData();
  form.set('file', 'not a file');
  for (const body of [form, new FormData()]) {
    const answer = await admin.send('/api/admin/images', { method: 'POST', body });
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ message: 'Please choose an image.' });
  }
  const malformed = await admin.send('/api/admin/images', {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    body: 'nonsense',
  });
  expect(malformed.status).toBe(422);
});
