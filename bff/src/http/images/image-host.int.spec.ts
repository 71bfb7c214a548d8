import sharp from 'sharp';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { startCloudinary } from '../../../testing/cloudinary.ts';
import { testDatabase } from '../../../testing/postgres.ts';
import { imagesAtCloudinary } from './cloudinary.ts';
import { type EncodedImage, encodeImage } from './encode-image.ts';
import { type ImageHost, ImageHostAway } from './image-host.ts';
import { findImage, imagesInPostgres } from './in-postgres.ts';
import { createOutboundFetch } from './outbound-fetch.ts';

const { appSql } = await testDatabase();
const cloudinary = await startCloudinary();
afterAll(cloudinary.close);
beforeEach(() => {
  cloudinary.uploads.length = 0;
  cloudinary.answerWith();
});

const red = await imageOf('#A3341F');
const blue = await imageOf('#2D3A72');

async function imageOf(background: string): Promise<EncodedImage> {
  const file = await sharp({ create: { width: 30, height: 20, channels: 3, background } })
    .png()
    .toBuffer();
  const encoded = await encodeImage(file);
  if (!encoded.ok) throw new Error(encoded.rejection.message);
  return encoded.value;
}

const atCloudinary = imagesAtCloudinary({ cloudName: 'kilim', uploadPreset: 'rugs', baseUrl: cloudinary.baseUrl });

/** Both hosts, and what each of them really holds under an image's hash. */
const hosts: readonly (readonly [string, ImageHost, (hash: string) => Promise<Uint8Array | undefined>])[] = [
  ['PostgreSQL', imagesInPostgres(appSql), (hash) => findImage(appSql, hash)],
  [
    'Cloudinary',
    atCloudinary,
    async (hash) => cloudinary.uploads.findLast(({ fields }) => fields['public_id'] === hash)?.bytes,
  ],
];

describe.each(hosts)('in %s', (_, host, held) => {
  test('an image is kept as it was made, under an address with its hash', async () => {
    const address = await host.keep(red);
    expect(address).toContain(red.hash);
    expect(address).toMatch(/^(https:\/\/|\/images\/)\S+\.webp$/);
    expect(await held(red.hash)).toEqual(red.bytes);
  });

  test('the same image again has the same address, also when both come at once', async () => {
    const addresses = await Promise.all([host.keep(red), host.keep(red), host.keep(red)]);
    expect(new Set(addresses).size).toBe(1);
  });

  test('another image has another address', async () => {
    expect(await host.keep(blue)).not.toBe(await host.keep(red));
    expect(await held(blue.hash)).toEqual(blue.bytes);
  });
});

describe('Cloudinary', () => {
  test('is asked for an unsigned upload with the preset', async () => {
    await atCloudinary.keep(red);
    expect(cloudinary.uploads).toMatchObject([
      { path: '/v1_1/kilim/image/upload', fields: { upload_preset: 'rugs', public_id: red.hash } },
    ]);
  });

  test.each([
    ['a refusal', { status: 400, body: { error: { message: 'Upload preset not found' } } }],
    ['a failure', { status: 500, body: {} }],
    ['an address in the clear', { status: 200, body: { secure_url: 'http://res.cloudinary.com/a.webp' } }],
    ['an address elsewhere', { status: 200, body: { secure_url: 'https://res.cloudinary.com.evil.example/a.webp' } }],
    ['no address', { status: 200, body: {} }],
    ['a redirect', { status: 302, body: {}, location: 'http://127.0.0.1:1/' }],
  ])('is not believed: %s', async (_, answer) => {
    cloudinary.answerWith(answer);
    await expect(atCloudinary.keep(red)).rejects.toBeInstanceOf(ImageHostAway);
  });

  test('that is away is no fault of the image', async () => {
    const away = imagesAtCloudinary({ cloudName: 'kilim', uploadPreset: 'rugs', baseUrl: 'http://127.0.0.1:1' });
    await expect(away.keep(red)).rejects.toBeInstanceOf(ImageHostAway);
  });
});

test('nothing is fetched from anywhere but where it was said', async () => {
  const outbound = createOutboundFetch({ origins: [cloudinary.baseUrl], timeoutSeconds: 1 });
  await expect(outbound('http://169.254.169.254/latest/meta-data', {})).rejects.toThrow(/Nothing is fetched/);
  const elsewhere = cloudinary.baseUrl.replace('127.0.0.1', 'localhost');
  await expect(outbound(elsewhere, {})).rejects.toThrow(/Nothing is fetched/);
});
