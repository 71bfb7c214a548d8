import { mostRugsPerOrder } from '@kilim/domain/catalog';
import * as z from 'zod/mini';

/** What the form tells the page around it. All but the last two are the specification's (section 7). */
export type MessageToParent =
  | { readonly type: 'SCROLL_TO_IFRAME_TOP' }
  | { readonly type: 'NAVIGATE_TO_RUG'; readonly rugIndex: number }
  | ({ readonly type: 'ACTIVE_RUG_UPDATE' } & Progress)
  | ({ readonly type: 'NAVBAR_UPDATE'; readonly isSticky: boolean } & Progress)
  | { readonly type: 'HIDE_NAVBAR_FOR_CHECKOUT' }
  | { readonly type: 'SHOW_NAVBAR_AFTER_CHECKOUT' }
  | { readonly type: 'IFRAME_HEIGHT'; readonly height: number }
  | { readonly type: 'ORDER_PLACED'; readonly orderId: string };

/** Where in the form the customer is. Step 0 is the rugs, step 1 the cart. */
export type Progress = { readonly rugCount: number; readonly currentStep: 0 | 1; readonly activeRugIndex: number };

/** Higher than any order form, low enough to compute with. */
const mostPixels = 1_000_000;
const pixels = z.number().check(z.gte(-mostPixels), z.lte(mostPixels));

const messageFromParent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('NAVIGATE_TO_RUG'),
    rugIndex: z.int().check(z.gte(0), z.lt(mostRugsPerOrder)),
  }),
  z.object({ type: z.literal('NAVIGATE_TO_CART') }),
  /** Which part of the frame is in sight, in pixels from the frame's top. */
  z
    .object({ type: z.literal('VIEWPORT'), top: pixels, bottom: pixels })
    .check(z.refine(({ top, bottom }) => top <= bottom, 'Upside down')),
]);

/** What the page around the form may ask for or tell. */
export type MessageFromParent = z.infer<typeof messageFromParent>;

/** @returns undefined for anything that is none of the messages, whoever sent it */
export function parseMessageFromParent(data: unknown): MessageFromParent | undefined {
  const parsed = messageFromParent.safeParse(data);
  return parsed.success ? parsed.data : undefined;
}
