import type { EncodedImage } from './encode-image.ts';

/** Keeps images where customers' browsers can fetch them. */
export type ImageHost = {
  /**
   * Keeps an image. Keeping the same one again gives the same address.
   * @returns the address under which browsers find it, for as long as it is kept.
   * @throws ImageHostAway, or what the database throws when it is away: the image was not kept, and keeping it again later is safe.
   */
  readonly keep: (image: EncodedImage) => Promise<string>;
};

/** The host did not take the image, for a reason that is not the image's. */
export class ImageHostAway extends Error {}
