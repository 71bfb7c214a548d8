import { mostRugsPerOrder } from '@kilim/domain/catalog';
import * as z from 'zod/mini';

/**
 * The messages from the form to the parent page. The specification defines all but the last
 * three (section 7).
 */
export type MessageToParent =
  | { readonly type: 'SCROLL_TO_IFRAME_TOP' }
  | { readonly type: 'NAVIGATE_TO_RUG'; readonly rugIndex: number }
  | ({ readonly type: 'ACTIVE_RUG_UPDATE' } & Progress)
  | ({ readonly type: 'NAVBAR_UPDATE'; readonly isSticky: boolean } & Progress)
  | { readonly type: 'HIDE_NAVBAR_FOR_CHECKOUT' }
  | { readonly type: 'SHOW_NAVBAR_AFTER_CHECKOUT' }
  | { readonly type: 'IFRAME_HEIGHT'; readonly height: number }
  /** `total` is text such as `$698.97`. Null if no rug has a size. */
  | { readonly type: 'TOTAL_UPDATE'; readonly total: string | null }
  | { readonly type: 'ORDER_PLACED'; readonly orderId: string };

/** The customer's position in the form. Step 0 is the rugs, step 1 the cart. */
export type Progress = { readonly rugCount: number; readonly currentStep: 0 | 1; readonly activeRugIndex: number };

/** Far above the height of any order form. It keeps sums of pixels finite. */
const maxPixels = 1_000_000;
const pixels = z.number().check(z.refine((value) => Math.abs(value) <= maxPixels));
// All of zod that any page uses is in one file, so every page uses the same few of its parts.
const rugIndex = z
  .number()
  .check(z.refine((index) => Number.isSafeInteger(index) && index >= 0 && index < mostRugsPerOrder));

const messageFromParent = z.union([
  z.object({ type: z.literal('NAVIGATE_TO_RUG'), rugIndex }),
  z.object({ type: z.literal('NAVIGATE_TO_CART') }),
  /** The visible part of the iframe, in pixels from the iframe's top. */
  z
    .object({ type: z.literal('VIEWPORT'), top: pixels, bottom: pixels })
    .check(z.refine(({ top, bottom }) => top <= bottom, 'Upside down')),
]);

export type MessageFromParent = z.infer<typeof messageFromParent>;

/** @returns undefined for data that is not one of the messages. Does not check the sender. */
export function parseMessageFromParent(data: unknown): MessageFromParent | undefined {
  return messageFromParent.safeParse(data).data;
}
