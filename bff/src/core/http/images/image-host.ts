import type { EncodedImage } from './draw-image.ts';

/**
 * Storing the same image again gives the same address.
 * @returns the address for browsers.
 * @throws ImageHostAway or a database error: nothing is stored, and a retry is safe.
 */
export type ImageHost = {
  readonly keep: (image: EncodedImage) => Promise<string>;
};

/** The host failed to store the image, for a reason other than the image itself. */
export class ImageHostAway extends Error {}
