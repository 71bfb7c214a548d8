import { mostRugsPerOrder } from '@kilim/domain/catalog';
import * as z from 'zod/mini';

/** The specification defines all but the last three (section 7). */
export type MessageToParent =
  | { readonly type: 'SCROLL_TO_IFRAME_TOP' }
  | { readonly type: 'NAVIGATE_TO_RUG'; readonly rugIndex: number }
  | ({ readonly type: 'ACTIVE_RUG_UPDATE' } & Progress)
  | ({ readonly type: 'NAVBAR_UPDATE'; readonly isSticky: boolean } & Progress)
  | { readonly type: 'HIDE_NAVBAR_FOR_CHECKOUT' }
  | { readonly type: 'SHOW_NAVBAR_AFTER_CHECKOUT' }
  | { readonly type: 'IFRAME_HEIGHT'; readonly height: number }
  /** Text such as `$698.97`; null if no rug has a size. */
  | { readonly type: 'TOTAL_UPDATE'; readonly total: string | null }
  | { readonly type: 'ORDER_PLACED'; readonly orderId: string };

/** Step 0 is the rugs, step 1 the cart. */
export type Progress = { readonly rugCount: number; readonly currentStep: 0 | 1; readonly activeRugIndex: number };

/** Far above any order form: keeps sums of pixels finite. */
const maxPixels = 1_000_000;
const pixels = z.number().check(z.refine((value) => Math.abs(value) <= maxPixels));
// All pages share the same few parts of zod in one file.
const rugIndex = z
  .number()
  .check(z.refine((index) => Number.isSafeInteger(index) && index >= 0 && index < mostRugsPerOrder));

const messageFromParent = z.union([
  z.object({ type: z.literal('NAVIGATE_TO_RUG'), rugIndex }),
  z.object({ type: z.literal('NAVIGATE_TO_CART') }),
  /** In pixels from the iframe's top. */
  z
    .object({ type: z.literal('VIEWPORT'), top: pixels, bottom: pixels })
    .check(z.refine(({ top, bottom }) => top <= bottom, 'Upside down')),
]);

export type MessageFromParent = z.infer<typeof messageFromParent>;

/**
 * Does not check the sender.
 * @returns undefined for other data.
 */
export function parseMessageFromParent(data: unknown): MessageFromParent | undefined {
  return messageFromParent.safeParse(data).data;
}
