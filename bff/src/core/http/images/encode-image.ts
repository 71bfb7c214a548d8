import { ok, type Result, rejected } from '@kilim/domain/result';
import { runInChild } from '../../runtime/child-process/run-in-child.ts';
import { limitConcurrency } from '../../runtime/limit-concurrency.ts';
import type { EncodedImage, work } from './draw-image.ts';

export type ImageRejection =
  | { readonly code: 'TooLarge'; readonly message: string }
  | { readonly code: 'NotAnImage'; readonly message: string };

export const mostImageBytes = 5 * 1024 * 1024;
/** A picture of 40 megapixels needs 160 MB while it is processed. */
const encoding = limitConcurrency(2);
const draw = runInChild<typeof work>(new URL('./draw-image.ts', import.meta.url));

/** As WebP: upright, no larger than a page shows, without metadata. */
export async function encodeImage(file: Uint8Array): Promise<Result<EncodedImage, ImageRejection>> {
  if (file.byteLength > mostImageBytes) {
    return rejected({ code: 'TooLarge', message: 'This image is larger than 5 MB. Please choose a smaller one.' });
  }
  // Check the bytes: the declared file type is not trusted.
  if (!isReadable(file)) {
    return rejected({ code: 'NotAnImage', message: 'Please choose a JPEG, PNG or WebP image.' });
  }
  const drawn = await encoding(() => draw(file));
  if (drawn === 'TooManyPixels') {
    return rejected({
      code: 'NotAnImage',
      message: 'This image has more than 40 megapixels. Please choose a smaller one.',
    });
  }
  if (drawn === 'Damaged') {
    return rejected({
      code: 'NotAnImage',
      message: 'This image is damaged or incomplete. Please choose another one.',
    });
  }
  return ok(drawn);
}

function isReadable(file: Uint8Array): boolean {
  const starts = (text: string, at = 0) => Buffer.from(file.subarray(at, at + text.length)).toString('latin1') === text;
  return starts('\xff\xd8\xff') || starts('\x89PNG\r\n\x1a\n') || (starts('RIFF') && starts('WEBP', 8));
}
