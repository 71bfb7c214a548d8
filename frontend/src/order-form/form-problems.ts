import type { DeliveryOption } from '@kilim/domain/catalog';
import { type ContactErrors, type ContactField, contactFields, contactFieldsFor } from '@kilim/domain/contact';
import type { FieldProblem } from '../shared/ui/error-summary.tsx';
import type { RugDraft, RugErrors } from './draft.ts';
import { type SizeField, sizeFields } from './size-input.ts';
import { orderFormTexts } from './texts.ts';

export function rugId(index: number): string {
  return `rug-${index}`;
}

/** The list of rugs in the cart. */
export const cartRugsId = 'cart-rugs';

export function sizeFieldId(index: number, field: SizeField): string {
  return `${rugId(index)}-${field}`;
}

export function contactFieldId(field: ContactField): string {
  return `contact-${field}`;
}

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

/** By the field where the customer corrects them. */
export type ServerErrors = {
  readonly rugs: ReadonlyMap<number, RugErrors>;
  readonly contact: ContactErrors;
};

/** Maps paths such as `rugs.0.widthFeet` and `customerInfo.email` to fields, and ignores others. */
export function placeServerErrors(fields: Readonly<Record<string, string>>): ServerErrors {
  const rugs = new Map<number, RugErrors>();
  const contact: Partial<Record<ContactField, string>> = {};
  for (const [path, message] of Object.entries(fields)) {
    const [group = '', first = '', second = ''] = path.split('.');
    if (group === 'customerInfo') {
      const field = contactFields.find((name) => name === first);
      if (field !== undefined) contact[field] = message;
    } else if (group === 'rugs' && /^\d{1,2}$/.test(first)) {
      rugs.set(Number(first), { ...rugs.get(Number(first)), [sizeFieldOf(second)]: message });
    }
  }
  return { rugs, contact };
}

/** A message about a whole rug or side belongs to its first field. */
function sizeFieldOf(field: string): SizeField {
  return sizeFields.find((name) => name === field) ?? (field === 'length' ? 'lengthFeet' : 'widthFeet');
}
