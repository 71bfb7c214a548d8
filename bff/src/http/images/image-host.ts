import type { EncodedImage } from './draw-image.ts';

/** Stores images where customers' browsers can load them. */
export type ImageHost = {
  /**
   * Stores an image. Storing the same image again gives the same address.
   * @returns the address for browsers.
   * @throws ImageHostAway or a database error. The image is not stored then, and a retry is safe.
   */
  readonly keep: (image: EncodedImage) => Promise<string>;
};

/** The host failed to store the image, for a reason other than the image itself. */
export class ImageHostAway extends Error {}
