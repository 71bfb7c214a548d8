import { type ContactErrors, type ContactField, contactFields, contactFieldsFor } from '@kilim/domain/contact';
import type { DeliveryOption } from '@kilim/domain/quote';
import type { FieldProblem } from '../shared/ui/error-summary.tsx';
import type { RugDraft, RugErrors } from './draft.ts';
import { type SizeField, sizeFields } from './size-input.ts';
import { orderFormTexts } from './texts.ts';

export function rugId(index: number): string {
  return `rug-${index}`;
}

export function sizeFieldId(index: number, field: SizeField): string {
  return `${rugId(index)}-${field}`;
}

export function contactFieldId(field: ContactField): string {
  return `contact-${field}`;
}

/** Every wrong box of the rugs, in the order in which they stand on the page. */
export function rugProblems(rugs: readonly Pick<RugDraft, 'errors'>[]): readonly FieldProblem[] {
  return rugs.flatMap(({ errors }, index) =>
    sizeFields.flatMap((field) => {
      const message = errors[field];
      if (message === undefined) return [];
      return [{ fieldId: sizeFieldId(index, field), message: orderFormTexts.rugProblem(index, message) }];
    }),
  );
}

export function contactProblems(errors: ContactErrors, deliveryOption: DeliveryOption): readonly FieldProblem[] {
  return contactFieldsFor(deliveryOption).flatMap((field) => {
    const message = errors[field];
    return message === undefined ? [] : [{ fieldId: contactFieldId(field), message }];
  });
}

/** What the server refused, sorted to where it can be put right. */
export type ServerErrors = {
  readonly rugs: ReadonlyMap<number, RugErrors>;
  readonly contact: ContactErrors;
};

/**
 * Reads the paths of a problem answer: `rugs.0.widthFeet`, `customerInfo.email`. Paths without a
 * place in the form are left out.
 */
export function placeServerErrors(fields: Readonly<Record<string, string>>): ServerErrors {
  const rugs = new Map<number, RugErrors>();
  const contact: Partial<Record<ContactField, string>> = {};
  for (const [path, message] of Object.entries(fields)) {
    const [group = '', first = '', second = ''] = path.split('.');
    if (group === 'customerInfo') {
      const field = contactFields.find((name) => name === first);
      if (field !== undefined) contact[field] = message;
    } else if (group === 'rugs' && /^\d{1,2}$/.test(first)) {
      rugs.set(Number(first), { ...rugs.get(Number(first)), [boxOf(second)]: message });
    }
  }
  return { rugs, contact };
}

/** A message about a whole rug or side belongs to its first box. */
function boxOf(field: string): SizeField {
  return sizeFields.find((name) => name === field) ?? (field === 'length' ? 'lengthFeet' : 'widthFeet');
}
