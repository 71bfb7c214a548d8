import { addOnsToWire } from '@kilim/bff/contract/rug';
import { localStore } from '../shared/storage.ts';
import { newDraft, type OrderDraft } from './draft.ts';
import { countOf, isWholeNumber } from './size-input.ts';
import type { SavedDraft, SavedRug } from './stored-draft.ts';

export function saveDraft(draft: OrderDraft, nowMilliseconds: number): void {
  const saved: SavedDraft = {
    rugs: draft.rugs.map(savedRugOf),
    includeDelivery: draft.deliveryOption === 'pickup',
    deliveryOption: draft.deliveryOption,
    customerInfo: draft.contact,
    currentStep: draft.step === 'cart' ? 1 : 0,
    activeRugIndex: draft.activeRugIndex,
    timestamp: nowMilliseconds,
  };
  localStore.write('rugFormState', JSON.stringify(saved));
}

/**
 * Loads the saved draft if it is less than an hour old, else returns a new one. The parser is
 * loaded only if there is a saved draft, so only then the result is a promise.
 */
export function loadDraft(nowMilliseconds: number): OrderDraft | Promise<OrderDraft> {
  const text = localStore.read('rugFormState');
  return text === null ? newDraft : readDraft(text, nowMilliseconds);
}

async function readDraft(text: string, nowMilliseconds: number): Promise<OrderDraft> {
  const { parseDraft } = await import('./stored-draft.ts');
  const draft = parseDraft(text, nowMilliseconds);
  if (draft === undefined) localStore.remove('rugFormState');
  return draft ?? newDraft;
}

function savedRugOf({ typed, rug }: OrderDraft['rugs'][number]): SavedRug {
  const size = (text: string) => (isWholeNumber(text) ? countOf(text) : text);
  return {
    widthFeet: size(typed.widthFeet),
    widthInches: size(typed.widthInches),
    lengthFeet: size(typed.lengthFeet),
    lengthInches: size(typed.lengthInches),
    serviceTier: rug.tier,
    ...addOnsToWire(rug),
  };
}
