import { parseJson } from '../shared/parse-json.ts';
import { fieldsOf } from '../shared/settings.ts';
import { localStore } from '../shared/storage.ts';

/** `order-form/draft-storage.ts` writes and reads it. */
export function hasDraft(): boolean {
  return localStore.read('rugFormState') !== null;
}

/** It changes with the content. */
export function timeOfDraft(): unknown {
  return fieldsOf(parseJson(localStore.read('rugFormState'))).timestamp;
}

/** After its order was paid. Another tab may have changed it since. */
export function clearDraftOf(time: unknown): void {
  if (timeOfDraft() === time) localStore.remove('rugFormState');
}
