import { choicesFromWire, choicesToWire } from '@kilim/bff/contract/rug';
import { tiers } from '@kilim/domain/catalog';
import { emptyContact } from '@kilim/domain/contact';
import { newRug, type RugChoices, withIncluded } from '@kilim/domain/rug';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { localStore } from '../shared/storage.ts';
import { newDraft, type OrderDraft, sizedRug } from './draft.ts';
import { draftSaver, isEnded, loadDraft, saveDraft } from './draft-storage.ts';
import { noSizes } from './size-input.ts';
import { parseDraft } from './stored-draft.ts';

const noon = Date.parse('2026-01-05T12:00:00Z');
const hour = 60 * 60 * 1000;

const savedRug = {
  widthFeet: 8,
  widthInches: 0,
  lengthFeet: 10,
  lengthInches: 6,
  serviceTier: 'midrange',
  stainProtection: true,
  mothProtection: true,
  repairInspection: false,
};
const saved = {
  rugs: [savedRug],
  includeDelivery: true,
  deliveryOption: 'pickup',
  customerInfo: { ...emptyContact, name: 'Ada Byron' },
  currentStep: 1,
  activeRugIndex: 0,
  timestamp: noon,
};
const parse = (draft: unknown, now = noon) => parseDraft(JSON.stringify(draft), now);

test('a saved draft is loaded with rugs, contact, delivery and step', async () => {
  const draft: OrderDraft = {
    rugs: [
      sizedRug({ ...newRug, greenPad: true }, { ...noSizes, widthFeet: '8', lengthFeet: '10', lengthInches: '6' }),
      sizedRug(
        { ...newRug, tier: 'economy', stainProtection: false, repairInspection: true },
        { ...noSizes, widthFeet: 'about 5' },
      ),
    ],
    deliveryOption: 'pickup',
    contact: { ...emptyContact, email: 'ada@', city: 'Los Angeles' },
    step: 'cart',
    activeRugIndex: 1,
  };
  saveDraft(draft, noon);
  expect(await loadDraft(noon + 1000)).toEqual(draft);
});

const eachChoice = {
  tier: fc.constantFrom(...tiers),
  stainProtection: fc.boolean(),
  greenPad: fc.boolean(),
  repairInspection: fc.boolean(),
} satisfies Record<keyof RugChoices, fc.Arbitrary<unknown>>;

test('every choice for a rug survives the wire and the stored draft', async () => {
  await fc.assert(
    fc.asyncProperty(fc.record(eachChoice), async (any) => {
      const chosen = withIncluded(any);
      expect(choicesFromWire(choicesToWire(chosen))).toEqual(chosen);
      const draft: OrderDraft = { ...newDraft, rugs: [sizedRug(chosen, { ...noSizes, widthFeet: '8' })] };
      saveDraft(draft, noon);
      expect(await loadDraft(noon)).toEqual(draft);
    }),
  );
});

test('a draft is saved under the field names of the specification, without prices', () => {
  saveDraft(newDraft, noon);
  const stored: unknown = JSON.parse(localStore.read('rugFormState') ?? '');
  expect(stored).toEqual({
    rugs: [
      {
        widthFeet: 0,
        widthInches: 0,
        lengthFeet: 0,
        lengthInches: 0,
        serviceTier: 'premium',
        stainProtection: true,
        mothProtection: false,
        repairInspection: false,
      },
    ],
    includeDelivery: false,
    deliveryOption: 'dropoff',
    customerInfo: emptyContact,
    currentStep: 0,
    activeRugIndex: 0,
    timestamp: noon,
  });
});

test('a draft is kept for less than an hour', () => {
  expect(parse(saved, noon + hour - 1)).toBeDefined();
  expect(parse(saved, noon + hour)).toBeUndefined();
});

test('a draft from the future expires too, after the clock was set back', () => {
  expect(parse(saved, noon - hour)).toBeUndefined();
});

const draftOfAda: OrderDraft = {
  ...newDraft,
  rugs: [sizedRug(newRug, { ...noSizes, widthFeet: '8', lengthFeet: '10' }), { typed: noSizes, rug: newRug }],
  contact: { ...emptyContact, name: 'Ada Byron' },
};
const stored = () => JSON.parse(localStore.read('rugFormState') ?? 'null') as Record<string, unknown> | null;

test('opening the form, scrolling and another step do not renew a draft, but a reload keeps the position', async () => {
  saveDraft(draftOfAda, noon);
  const save = draftSaver((await loadDraft(noon + hour / 2)) ?? newDraft);
  save(draftOfAda, noon + hour / 2);
  save({ ...draftOfAda, activeRugIndex: 1 }, noon + hour / 2);
  expect(stored()).toMatchObject({ timestamp: noon, activeRugIndex: 1, currentStep: 0 });
  save({ ...draftOfAda, step: 'cart' }, noon + hour / 2);
  expect(stored()).toMatchObject({ timestamp: noon, activeRugIndex: 0, currentStep: 1 });
});

test.each([
  ['rugs', { rugs: draftOfAda.rugs.slice(1) }],
  ['delivery', { deliveryOption: 'pickup' }],
  ['contact', { contact: emptyContact }],
] as const)('a change of %s renews the draft', (_, change) => {
  saveDraft(draftOfAda, noon);
  draftSaver(draftOfAda)({ ...draftOfAda, ...change }, noon + 1000);
  expect(stored()).toMatchObject({ timestamp: noon + 1000 });
});

test('only a change of the content takes away the order that was made of it', () => {
  localStore.write('currentOrder', 'an order of Ada');
  const save = draftSaver(draftOfAda);
  save({ ...draftOfAda, step: 'cart', activeRugIndex: 1 }, noon);
  expect(localStore.read('currentOrder')).toBe('an order of Ada');
  save({ ...draftOfAda, deliveryOption: 'pickup' }, noon);
  expect(localStore.read('currentOrder')).toBeNull();
});

test('a draft that another tab removes has ended, unless it is another one or too old', () => {
  saveDraft(draftOfAda, noon);
  const removal = { key: 'rugFormState', oldValue: localStore.read('rugFormState'), newValue: null };
  expect(isEnded({ ...draftOfAda, step: 'cart', activeRugIndex: 1 }, removal, noon + hour - 1)).toBe(true);
  expect(isEnded(draftOfAda, removal, noon + hour)).toBe(false);
  expect(isEnded({ ...draftOfAda, deliveryOption: 'pickup' }, removal, noon)).toBe(false);
  expect(isEnded(draftOfAda, { ...removal, newValue: removal.oldValue }, noon)).toBe(false);
  expect(isEnded(draftOfAda, { ...removal, key: 'currentOrder' }, noon)).toBe(false);
});

test('viewing a new form stores nothing', () => {
  localStore.remove('rugFormState');
  draftSaver(newDraft)({ ...newDraft, step: 'cart' }, noon);
  expect(stored()).toBeNull();
});

test('viewing an earlier draft does not overwrite the changes of another tab', () => {
  const save = draftSaver(draftOfAda);
  saveDraft({ ...draftOfAda, deliveryOption: 'pickup' }, noon);
  save({ ...draftOfAda, activeRugIndex: 1 }, noon + 1000);
  expect(stored()).toMatchObject({ deliveryOption: 'pickup', activeRugIndex: 0, timestamp: noon });
});

test('an expired draft is deleted', async () => {
  saveDraft(newDraft, noon);
  expect(await loadDraft(noon + hour)).toEqual(newDraft);
  expect(localStore.read('rugFormState')).toBeNull();
});

test('the legacy delivery option `none` becomes drop-off', () => {
  expect(parse({ ...saved, deliveryOption: 'none' })?.deliveryOption).toBe('dropoff');
});

test('premium includes stain protection, even if the saved draft says otherwise', () => {
  const draft = parse({ ...saved, rugs: [{ ...savedRug, serviceTier: 'premium', stainProtection: false }] });
  expect(draft?.rugs[0]?.rug.stainProtection).toBe(true);
});

test('the active rug always exists', () => {
  expect(parse({ ...saved, activeRugIndex: 7 })?.activeRugIndex).toBe(0);
});

test('a draft whose last rug was removed keeps everything else', () => {
  expect(parse({ ...saved, rugs: [], currentStep: 0, activeRugIndex: 0 })).toMatchObject({
    rugs: [],
    contact: { name: 'Ada Byron' },
    activeRugIndex: 0,
  });
});

test.each([
  ['an empty text', ''],
  ['invalid JSON', '{"rugs":['],
  ['null', 'null'],
  ['a list', '[]'],
  ['51 rugs', JSON.stringify({ ...saved, rugs: Array(51).fill(savedRug) })],
  ['an unknown tier', JSON.stringify({ ...saved, rugs: [{ ...savedRug, serviceTier: '__proto__' }] })],
  ['a size that is an object', JSON.stringify({ ...saved, rugs: [{ ...savedRug, widthFeet: {} }] })],
  ['a negative active rug', JSON.stringify({ ...saved, activeRugIndex: -1 })],
  ['a third step', JSON.stringify({ ...saved, currentStep: 2 })],
  ['a missing field of the customer', JSON.stringify({ ...saved, customerInfo: { name: 'Ada' } })],
  ['a timestamp that is text', JSON.stringify({ ...saved, timestamp: String(noon) })],
  [
    'a text of a megabyte',
    JSON.stringify({ ...saved, customerInfo: { ...emptyContact, name: 'a'.repeat(1_000_000) } }),
  ],
])('%s is rejected', (_, text) => {
  expect(parseDraft(text, noon)).toBeUndefined();
});

test.each([-1, 1.5, 1e300, 'NaN', '<img src=x onerror=alert(1)>'])(
  'the size %s is shown as it was typed and counts as 0',
  (size) => {
    const rug = parse({ ...saved, rugs: [{ ...savedRug, widthFeet: size }] })?.rugs[0];
    expect(rug?.typed.widthFeet).toBe(String(size));
    expect(rug?.rug.width).toBe(0);
  },
);
