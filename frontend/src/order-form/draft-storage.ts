import { choicesToWire } from '@kilim/bff/contract/rug';
import { parseJson } from '../shared/parse-json.ts';
import { fieldsOf } from '../shared/settings.ts';
import { localStore } from '../shared/storage.ts';
import { keptMilliseconds, newDraft, type OrderDraft } from './draft.ts';
import { countOf, isWholeNumber } from './size-input.ts';
import type { SavedDraft, SavedRug } from './stored-draft.ts';

export function saveDraft(draft: OrderDraft, timestamp: number): void {
  const saved: SavedDraft = {
    ...contentOf(draft),
    currentStep: draft.step === 'cart' ? 1 : 0,
    activeRugIndex: draft.activeRugIndex,
    timestamp,
  };
  localStore.write('rugFormState', JSON.stringify(saved));
}

/**
 * A draft's age counts from the last change of rugs, delivery or contact: opening the form, scrolling and going to
 * another step do not renew it. A change also removes the order that was made of the old draft, so that the customer
 * pays only for the cart that is shown.
 * @param opened the draft that the form was opened with.
 */
export function draftSaver(opened: OrderDraft): (draft: OrderDraft, nowMilliseconds: number) => void {
  let lastContent = JSON.stringify(contentOf(opened));
  return (draft, nowMilliseconds) => {
    const content = JSON.stringify(contentOf(draft));
    const timestamp = content === lastContent ? timestampOf(content) : nowMilliseconds;
    if (content !== lastContent) localStore.remove('currentOrder');
    lastContent = content;
    if (timestamp !== undefined) saveDraft(draft, timestamp);
  };
}

/** Undefined if there is no draft, or if another tab has changed it. */
function timestampOf(content: string, text = localStore.read('rugFormState')): number | undefined {
  const { timestamp, currentStep, activeRugIndex, ...stored } = fieldsOf(parseJson(text));
  return JSON.stringify(stored) === content && typeof timestamp === 'number' ? timestamp : undefined;
}

type Removal = Pick<StorageEvent, 'key' | 'oldValue' | 'newValue'>;

/** Whether another tab paid this draft, or began another order. The removal of a draft that is too old says neither. */
export function isEnded(draft: OrderDraft, { key, oldValue, newValue }: Removal, nowMilliseconds: number): boolean {
  if (key !== 'rugFormState' || newValue !== null) return false;
  const timestamp = timestampOf(JSON.stringify(contentOf(draft)), oldValue);
  return timestamp !== undefined && Math.abs(nowMilliseconds - timestamp) < keptMilliseconds;
}

/** Without the customer's position in the form. */
function contentOf(draft: OrderDraft): Omit<SavedDraft, 'currentStep' | 'activeRugIndex' | 'timestamp'> {
  return {
    rugs: draft.rugs.map(savedRugOf),
    includeDelivery: draft.deliveryOption === 'pickup',
    deliveryOption: draft.deliveryOption,
    customerInfo: draft.contact,
  };
}

/** The saved draft if it is less than an hour old, else a new one; null if none is saved. It loads the parser. */
export function loadDraft(nowMilliseconds: number): Promise<OrderDraft> | null {
  const text = localStore.read('rugFormState');
  return text === null ? null : readDraft(text, nowMilliseconds);
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
    ...choicesToWire(rug),
  };
}
