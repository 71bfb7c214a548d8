import { createHash } from 'node:crypto';
import { ok, type Result, rejected } from '@kilim/domain/result';
import sharp from 'sharp';
import { limitConcurrency } from '../../server/limit-concurrency.ts';

/** A re-encoded picture: only the pixels of the upload are left. */
export type EncodedImage = {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The hexadecimal SHA-256 of the bytes, which names the picture. */
  readonly hash: string;
  readonly width: number;
  readonly height: number;
};

/** Why a file is refused, as a sentence for the admin who chose it. */
export type ImageRejection =
  | { readonly code: 'TooLarge'; readonly message: string }
  | { readonly code: 'NotAnImage'; readonly message: string };

export const mostImageBytes = 5 * 1024 * 1024;
const mostPixels = 40_000_000;
const longestSide = 1600;

// The library reads dozens of formats, and some of them can run code. Only three are allowed.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'] });
sharp.cache(false);

/** A picture of 40 megapixels needs 160 MB while it is processed. */
const encoding = limitConcurrency(2);

/**
 * Re-encodes a JPEG, PNG or WebP as WebP: upright, no larger than a page shows, without metadata.
 */
export async function encodeImage(file: Uint8Array): Promise<Result<EncodedImage, ImageRejection>> {
  if (file.byteLength > mostImageBytes) {
    return rejected({ code: 'TooLarge', message: 'This image is larger than 5 MB. Please choose a smaller one.' });
  }
  // Check the bytes: the declared file type is not trusted.
  if (!isReadable(file)) {
    return rejected({ code: 'NotAnImage', message: 'Please choose a JPEG, PNG or WebP image.' });
  }
  try {
    return ok(await encoding(() => draw(file)));
  } catch (error) {
    if (!(error instanceof Error) || error.constructor !== Error) throw error;
    const message = /pixel limit/i.test(error.message)
      ? 'This image has more than 40 megapixels. Please choose a smaller one.'
      : 'This image is damaged or incomplete. Please choose another one.';
    return rejected({ code: 'NotAnImage', message });
  }
}

async function draw(file: Uint8Array): Promise<EncodedImage> {
  const { data, info } = await sharp(file, { limitInputPixels: mostPixels, failOn: 'error', sequentialRead: true })
    .autoOrient()
    .resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 82, effort: 4 })
    .timeout({ seconds: 10 })
    .toBuffer({ resolveWithObject: true });
  const bytes = new Uint8Array(data);
  return {
    bytes,
    hash: createHash('sha256').update(bytes).digest('hex'),
    width: info.width,
    height: info.height,
  };
}

/** Checks the fixed first bytes of the three formats. */
function isReadable(file: Uint8Array): boolean {
  const starts = (text: string, at = 0) => Buffer.from(file.subarray(at, at + text.length)).toString('latin1') === text;
  return starts('\xff\xd8\xff') || starts('\x89PNG\r\n\x1a\n') || (starts('RIFF') && starts('WEBP', 8));
}
