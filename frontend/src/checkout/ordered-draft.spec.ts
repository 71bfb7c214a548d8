import { beforeEach, expect, test } from 'vitest';
import { localStore } from '../shared/storage.ts';
import { clearDraftOf, hasDraft, timeOfDraft } from './ordered-draft.ts';

beforeEach(() => localStore.remove('rugFormState'));

test('the draft of a paid order goes, also after another tab went to another step', () => {
  localStore.write('rugFormState', '{"timestamp":1,"currentStep":1}');
  const time = timeOfDraft();
  localStore.write('rugFormState', '{"timestamp":1,"currentStep":0}');
  clearDraftOf(time);
  expect(hasDraft()).toBe(false);
});

test('a draft that another tab changed during the payment stays', () => {
  localStore.write('rugFormState', '{"timestamp":1}');
  const time = timeOfDraft();
  localStore.write('rugFormState', '{"timestamp":2}');
  clearDraftOf(time);
  expect(hasDraft()).toBe(true);
});
