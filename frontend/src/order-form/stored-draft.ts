import { customerInfo, rugFields } from '@kilim/bff/contract/quote';
import { choicesFromWire } from '@kilim/bff/contract/rug';
import { mostRugsPerOrder } from '@kilim/domain/catalog';
import * as z from 'zod/mini';
import { parseJson } from '../shared/parse-json.ts';
import { keptMilliseconds, nearestIndex, type OrderDraft, sizedRug, steps } from './draft.ts';
import type { TypedSizes } from './size-input.ts';

/** Longer than any order of fifty rugs. */
const maxCharacters = 100_000;

/** Without a whole number it is saved as typed, so that a reload loses no input. */
const savedSize = z.union([z.number(), z.string()]);

const savedRugSchema = z.object(rugFields({ feet: savedSize, inches: savedSize, chosen: z.boolean() }));
export type SavedRug = z.infer<typeof savedRugSchema>;

/** `rugFormState` with the specification's names (section 3), without prices. */
const savedDraftSchema = z.object({
  rugs: z.array(savedRugSchema).check(z.refine((rugs) => rugs.length <= mostRugsPerOrder, 'Not an order')),
  includeDelivery: z.boolean(),
  deliveryOption: z.enum(['dropoff', 'pickup', 'none']),
  customerInfo: customerInfo,
  currentStep: z.union([z.literal(0), z.literal(1)]),
  activeRugIndex: z.number().check(z.refine((index) => Number.isSafeInteger(index) && index >= 0, 'No rug')),
  timestamp: z.number(),
});
export type SavedDraft = z.infer<typeof savedDraftSchema>;

/** Untrusted text. Undefined if it is invalid or older than an hour. */
export function parseDraft(text: string, nowMilliseconds: number): OrderDraft | undefined {
  if (text.length > maxCharacters) return undefined;
  const parsed = savedDraftSchema.safeParse(parseJson(text));
  if (!parsed.success) return undefined;
  const saved = parsed.data;
  // `Math.abs`: if the clock was set back, the draft must still expire.
  if (Math.abs(nowMilliseconds - saved.timestamp) >= keptMilliseconds) return undefined;
  return {
    rugs: saved.rugs.map(rugDraftOf),
    deliveryOption: saved.deliveryOption === 'pickup' ? 'pickup' : 'dropoff',
    contact: saved.customerInfo,
    step: steps[saved.currentStep],
    activeRugIndex: nearestIndex(saved.activeRugIndex, saved.rugs),
  };
}

function rugDraftOf(saved: SavedRug): OrderDraft['rugs'][number] {
  const text = (size: number | string) => (size === 0 ? '' : String(size));
  const typed: TypedSizes = {
    widthFeet: text(saved.widthFeet),
    widthInches: text(saved.widthInches),
    lengthFeet: text(saved.lengthFeet),
    lengthInches: text(saved.lengthInches),
  };
  return sizedRug(choicesFromWire(saved), typed);
}
