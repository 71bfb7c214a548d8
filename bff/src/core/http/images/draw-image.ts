import { createHash } from 'node:crypto';
import sharp from 'sharp';

// Runs in a child process: the library never returns its 40 to 90 MB, and reads files of strangers.

/** Only the pixels of the upload are left. */
export type EncodedImage = {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Hexadecimal SHA-256; names the picture. */
  readonly hash: string;
  readonly width: number;
  readonly height: number;
};

export type Unreadable = 'TooManyPixels' | 'Damaged';

const mostPixels = 40_000_000;
const longestSide = 1600;

// The library reads dozens of formats, and some of them can run code. Only three are allowed.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'] });
sharp.cache(false);

/** WebP, upright and at most 1600 pixels long. */
export async function work(file: Uint8Array): Promise<EncodedImage | Unreadable> {
  try {
    return await draw(file);
  } catch (error) {
    // The library's errors about a file are plain errors; others are bugs.
    if (!(error instanceof Error) || error.constructor !== Error) throw error;
    return /pixel limit/i.test(error.message) ? 'TooManyPixels' : 'Damaged';
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
