import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { encodeImage } from './encode-image.ts';

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 163, g: 52, b: 31 } } });
const jpeg = await picture(60, 40).jpeg().toBuffer();
const gif = await picture(9, 9).gif().toBuffer();

async function encoded(file: Uint8Array) {
  const result = await encodeImage(file);
  if (!result.ok) throw new Error(result.rejection.message);
  return result.value;
}

describe('an upload is re-encoded', () => {
  test.each(['jpeg', 'png', 'webp'] as const)('%s becomes WebP, named by the hash of its bytes', async (format) => {
    const image = await encoded(await picture(60, 40).toFormat(format).toBuffer());
    expect(await sharp(image.bytes).metadata()).toMatchObject({ format: 'webp', width: 60, height: 40 });
    expect(image.hash).toMatch(/^[0-9a-f]{64}$/);
  });

  test('the same file gives the same hash', async () => {
    expect((await encoded(jpeg)).hash).toBe((await encoded(jpeg)).hash);
  });

  test('place and camera are removed, and the image is rotated upright', async () => {
    const taken = await picture(60, 40)
      .withExif({ IFD0: { Make: 'Secret camera', Copyright: 'Ada' }, IFD3: { GPSLatitude: '34/1 3/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect(taken.includes('Secret camera')).toBe(true);
    const image = await encoded(taken);
    const metadata = await sharp(image.bytes).metadata();
    expect(metadata.exif).toBeUndefined();
    expect(metadata).toMatchObject({ width: 40, height: 60 });
    expect(Buffer.from(image.bytes).includes('Secret camera')).toBe(false);
  });

  test('bytes after the picture are removed', async () => {
    const polyglot = Buffer.concat([jpeg, Buffer.from('<script>alert(1)</script>PK\x03\x04')]);
    expect(Buffer.from((await encoded(polyglot)).bytes).includes('script')).toBe(false);
  });

  test('a large image is reduced to the size that pages show', async () => {
    const image = await encoded(await picture(4000, 1000).jpeg().toBuffer());
    expect([image.width, image.height]).toEqual([1600, 400]);
  });
});

describe('an invalid upload is refused with a sentence', () => {
  const svg = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>',
  );
  const notAnImage = 'Please choose a JPEG, PNG or WebP image.';
  test.each([
    ['SVG', svg, notAnImage],
    ['GIF', gif, notAnImage],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>'), notAnImage],
    ['a page that begins like a GIF', Buffer.from('GIF89a/*<script>alert(1)</script>*/'), notAnImage],
    ['SVG that begins like a JPEG', Buffer.concat([jpeg.subarray(0, 3), svg]), /damaged/],
    ['SVG that begins like a PNG', Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), svg]), /damaged/],
    ['half a picture', jpeg.subarray(0, jpeg.length / 2), /damaged/],
    ['nothing', Buffer.alloc(0), notAnImage],
    ['too much', Buffer.concat([jpeg, Buffer.alloc(5 * 1024 * 1024)]), /larger than 5 MB/],
  ])('%s', async (_, file, message) => {
    expect(await encodeImage(file)).toMatchObject({
      ok: false,
      rejection: { message: expect.stringMatching(message) },
    });
  });

  test('a small file with too many pixels', async () => {
    const bomb = Buffer.from(await picture(60, 40).png().toBuffer());
    // The header's width, height and checksum.
    bomb.writeUInt32BE(30_000, 16);
    bomb.writeUInt32BE(30_000, 20);
    bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29);
    expect(await encodeImage(bomb)).toMatchObject({
      ok: false,
      rejection: { message: 'This image has more than 40 megapixels. Please choose a smaller one.' },
    });
  });
});
