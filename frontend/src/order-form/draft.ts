import { type DeliveryOption, largestSideInches } from '@kilim/domain/catalog';
import { type ContactErrors, type ContactInput, emptyContact } from '@kilim/domain/contact';
import { checkRug, choose, isSameRug, newRug, type Rug, type RugChoices, type RugRejection } from '@kilim/domain/rug';
import {
  carryInches,
  doubtfulFeet,
  doubtfulField,
  inchesOf,
  isUnread,
  isWholeNumber,
  noSizes,
  readField,
  type Side,
  type SizeField,
  sideFields,
  sideOf,
  sizeFields,
  type TypedSizes,
} from './size-input.ts';
import { orderFormTexts } from './texts.ts';

export type RugErrors = Readonly<Partial<Record<SizeField, string>>>;

/** The typed texts and the parsed rug. */
export type RugDraft = {
  /** Stays the same when other rugs come and go. Not saved. */
  readonly id: number;
  readonly typed: TypedSizes;
  readonly rug: Rug;
  readonly errors: RugErrors;
  /** Shown as one line, unless it has errors. Not saved. */
  readonly isFolded?: boolean;
};

export const steps = ['rugs', 'cart'] as const;
export type Step = (typeof steps)[number];

/** The customer's input and position survive a reload. */
export type OrderDraft = {
  readonly rugs: readonly Pick<RugDraft, 'typed' | 'rug'>[];
  readonly deliveryOption: DeliveryOption;
  readonly contact: ContactInput;
  readonly step: Step;
  readonly activeRugIndex: number;
};

/** Specification, section 9. */
export const keptMilliseconds = 60 * 60 * 1000;

export const newDraft: OrderDraft = {
  rugs: [{ typed: noSizes, rug: newRug }],
  deliveryOption: 'dropoff',
  contact: emptyContact,
  step: 'rugs',
  activeRugIndex: 0,
};

/** 0 if there are no rugs. */
export function nearestIndex(index: number, rugs: readonly unknown[]): number {
  return Math.max(0, Math.min(index, rugs.length - 1));
}

/** Not a single untouched one: removing it would change nothing. */
export function isRemovable(rugs: readonly Pick<RugDraft, 'typed' | 'rug'>[], index: number): boolean {
  const draft = rugs[index];
  return draft !== undefined && (rugs.length > 1 || !isUntouched(draft));
}

function isUntouched({ typed, rug }: Pick<RugDraft, 'typed' | 'rug'>): boolean {
  return sizeFields.every((field) => typed[field] === '') && isSameRug(rug, newRug);
}

/** Keeps the typed sizes and the rug in agreement. */
export function sizedRug(chosen: RugChoices, typed: TypedSizes): Pick<RugDraft, 'typed' | 'rug'> {
  return { typed, rug: { ...chosen, width: inchesOf(typed, 'width'), length: inchesOf(typed, 'length') } };
}

/** Typing never adds an error. It removes the errors of the side. */
export function typeSize(draft: RugDraft, field: SizeField, text: string): RugDraft {
  return fillSizes(draft, { [field]: text });
}

/** With a common or a pasted size; removes the errors of their sides. */
export function fillSizes(draft: RugDraft, sizes: Partial<TypedSizes>): RugDraft {
  const filled = Object.keys(sizes) as SizeField[];
  const errors = Object.entries(draft.errors).filter(
    ([wrong]) => !filled.some((field) => sideOf(field) === sideOf(wrong as SizeField)),
  );
  return { ...draft, ...sizedRug(draft.rug, { ...draft.typed, ...sizes }), errors: Object.fromEntries(errors) };
}

/**
 * When a field loses the focus: spreads a size such as `8x10` over all fields, carries inches over into feet, and adds
 * an error if the text is not one size. An empty field is not an error yet.
 */
export function leaveSize(draft: RugDraft, field: SizeField): RugDraft {
  const { sizes } = readField(draft.typed, field);
  const filled = sizes === undefined ? draft : fillSizes(draft, sizes);
  const typed = carryInches(filled.typed, sideOf(field));
  const left = typed === filled.typed ? filled : { ...filled, ...sizedRug(filled.rug, typed) };
  const errors = { ...unreadableError(typed, field), ...doubt(typed) };
  return hasErrors(errors) ? { ...left, errors: { ...left.errors, ...errors } } : left;
}

/** Reads again what was left before the reader was loaded. */
export function readLeftSizes(draft: RugDraft): RugDraft {
  return (Object.keys(draft.errors) as SizeField[]).reduce(leaveSize, draft);
}

function unreadableError(typed: TypedSizes, field: SizeField): RugErrors {
  if (isWholeNumber(typed[field])) return {};
  if (isUnread(typed)) return { [field]: orderFormTexts.readingSize };
  const { notASize, whichSize, sideTooLong } = orderFormTexts;
  if (readField(typed, field).choices.length > 0) return { [field]: whichSize(typed[field]) };
  return { [field]: /\D/.test(typed[field]) ? notASize(typed[field]) : sideTooLong(largestSideInches) };
}

function doubt(typed: TypedSizes): RugErrors {
  const field = doubtfulField(typed);
  return field === undefined ? {} : { [field]: orderFormTexts.reallyFeet(doubtfulFeet(typed)) };
}

/** As if every field had been left: Enter continues from within a field. */
export function leaveSizes(draft: RugDraft): RugDraft {
  return sizeFields.reduce(leaveSize, draft);
}

export function chooseFor(draft: RugDraft, choice: Partial<RugChoices>): RugDraft {
  return { ...draft, rug: choose(draft.rug, choice) };
}

/** Of a rug that the customer is about to order, by the field where they correct them. */
export function openErrors(draft: Pick<RugDraft, 'typed' | 'rug'>): RugErrors {
  const errors = rugErrors(draft);
  return hasErrors(errors) ? errors : doubt(draft.typed);
}

/** Without the question whether feet are feet: a saved draft does not hold the answer. */
export function rugErrors({ typed, rug }: Pick<RugDraft, 'typed' | 'rug'>): RugErrors {
  const unreadable = sizeFields.filter((field) => !isWholeNumber(typed[field]));
  const errors: Partial<Record<SizeField, string>> = {};
  for (const field of unreadable) Object.assign(errors, unreadableError(typed, field));
  for (const which of ['width', 'length'] as const) {
    if (isSideMissing({ typed, rug }, which)) errors[`${which}Feet`] = orderFormTexts.sideMissing[which];
  }
  if (Object.keys(errors).length > 0) return errors;
  const checked = checkRug(rug);
  return checked.ok ? {} : rejectionErrors(checked.rejection);
}

/** What is typed but is no size is not missing. */
export function isSideMissing({ typed, rug }: Pick<RugDraft, 'typed' | 'rug'>, which: Side): boolean {
  return rug[which] === 0 && Object.values(sideFields[which]).every((field) => isWholeNumber(typed[field]));
}

function rejectionErrors(rejection: RugRejection): RugErrors {
  switch (rejection.code) {
    case 'SideMissing':
      return { [`${rejection.side}Feet`]: orderFormTexts.sideMissing[rejection.side] };
    case 'SideTooLong':
      return { [`${rejection.side}Feet`]: orderFormTexts.sideTooLong(rejection.mostInches) };
    case 'AreaTooSmall':
      return { widthFeet: orderFormTexts.areaTooSmall(rejection.leastSquareInches) };
  }
}

export function areComplete(rugs: readonly Pick<RugDraft, 'typed' | 'rug'>[]): boolean {
  return rugs.length > 0 && rugs.every(isComplete);
}

function isComplete(rug: Pick<RugDraft, 'typed' | 'rug'>): boolean {
  return !hasErrors(rugErrors(rug));
}

export function isFolded(draft: Pick<RugDraft, 'isFolded' | 'errors'>): boolean {
  return draft.isFolded === true && !hasErrors(draft.errors);
}

/** Folds the rugs that have a size, but one. */
export function foldOthers<Draft extends Pick<RugDraft, 'typed' | 'rug'>>(rugs: readonly Draft[], open: number) {
  return rugs.map((rug, index) => ({ ...rug, isFolded: index !== open && isComplete(rug) }));
}

export function hasErrors(errors: RugErrors | ContactErrors): boolean {
  return Object.values(errors).some((message) => message !== undefined);
}
