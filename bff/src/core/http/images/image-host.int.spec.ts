import { startCloudinary } from '@kilim/lab/testing/cloudinary';
import { testDatabase } from '@kilim/lab/testing/postgres';
import sharp from 'sharp';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createOutboundFetch } from '../../runtime/outbound-fetch.ts';
import { imagesAtCloudinary } from './cloudinary.ts';
import type { EncodedImage } from './draw-image.ts';
import { encodeImage } from './encode-image.ts';
import { type ImageHost, ImageHostAway } from './image-host.ts';
import { findImage, imagesInPostgres } from './in-postgres.ts';

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

/** With a way to read the stored bytes by hash. */
const hosts: readonly (readonly [string, ImageHost, (hash: string) => Promise<Uint8Array | undefined>])[] = [
  ['PostgreSQL', imagesInPostgres(appSql), (hash) => findImage(appSql, hash)],
  [
    'Cloudinary',
    atCloudinary,
    async (hash) => cloudinary.uploads.findLast(({ fields }) => fields['public_id'] === hash)?.bytes,
  ],
];

describe.each(hosts)('in %s', (_, host, held) => {
  test('an image is stored unchanged, under an address with its hash', async () => {
    const address = await host.keep(red);
    expect(address).toContain(red.hash);
    expect(address).toMatch(/^(https:\/\/|\/images\/)\S+\.webp$/);
    expect(await held(red.hash)).toEqual(red.bytes);
  });

  test('storing the same image again gives the same address, even concurrently', async () => {
    const addresses = await Promise.all([host.keep(red), host.keep(red), host.keep(red)]);
    expect(new Set(addresses).size).toBe(1);
  });

  test('another image has another address', async () => {
    expect(await host.keep(blue)).not.toBe(await host.keep(red));
    expect(await held(blue.hash)).toEqual(blue.bytes);
  });
});

describe('Cloudinary', () => {
  test('Cloudinary gets an unsigned upload with the preset', async () => {
    await atCloudinary.keep(red);
    expect(cloudinary.uploads).toMatchObject([
      { path: '/v1_1/kilim/image/upload', fields: { upload_preset: 'rugs', public_id: red.hash } },
    ]);
  });

  test.each([
    ['a refusal', { status: 400, body: { error: { message: 'Upload preset not found' } } }],
    ['a failure', { status: 500, body: {} }],
    ['an address without encryption', { status: 200, body: { secure_url: 'http://res.cloudinary.com/a.webp' } }],
    ['an address elsewhere', { status: 200, body: { secure_url: 'https://res.cloudinary.com.evil.example/a.webp' } }],
    ['no address', { status: 200, body: {} }],
    ['a redirect', { status: 302, body: {}, location: 'http://127.0.0.1:1/' }],
  ])('an unusable answer counts as an outage: %s', async (_, answer) => {
    cloudinary.answerWith(answer);
    await expect(atCloudinary.keep(red)).rejects.toBeInstanceOf(ImageHostAway);
  });

  test('an unreachable Cloudinary counts as an outage', async () => {
    const away = imagesAtCloudinary({ cloudName: 'kilim', uploadPreset: 'rugs', baseUrl: 'http://127.0.0.1:1' });
    await expect(away.keep(red)).rejects.toBeInstanceOf(ImageHostAway);
  });
});

test('outbound requests are limited to the configured origins', async () => {
  const outbound = createOutboundFetch({ origins: [cloudinary.baseUrl], timeoutSeconds: 1 });
  await expect(outbound('http://169.254.169.254/latest/meta-data', {})).rejects.toThrow(/are not allowed/);
  const elsewhere = cloudinary.baseUrl.replace('127.0.0.1', 'localhost');
  await expect(outbound(elsewhere, {})).rejects.toThrow(/are not allowed/);
});
