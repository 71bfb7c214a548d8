import type { DeliveryOption } from '@kilim/domain/catalog';
import { parseContact } from '@kilim/domain/contact';
import type { FieldProblem } from '../shared/ui/error-summary.tsx';
import type { RugDraft, Step } from './draft.ts';
import { contactProblems, rugProblems } from './form-problems.ts';
import type { OrderFormSnapshot } from './order-form-actor.ts';

/** Defined outside components, so that selectors stay the same function between renders. */

export function stepOf(snapshot: OrderFormSnapshot): Step {
  return snapshot.matches('rugs') ? 'rugs' : 'cart';
}

export function isSubmitting(snapshot: OrderFormSnapshot): boolean {
  return snapshot.matches('submitting') || snapshot.matches('submitted');
}

export function rugsOf(snapshot: OrderFormSnapshot): readonly RugDraft[] {
  return snapshot.context.rugs;
}

export function rugIdsOf(snapshot: OrderFormSnapshot): readonly number[] {
  return snapshot.context.rugs.map(({ id }) => id);
}

export function activeRugIndexOf(snapshot: OrderFormSnapshot): number {
  return snapshot.context.activeRugIndex;
}

export function deliveryOptionOf(snapshot: OrderFormSnapshot): DeliveryOption {
  return snapshot.context.deliveryOption;
}

export function isContactComplete({ context }: OrderFormSnapshot): boolean {
  return parseContact(context.contact, context.deliveryOption).ok;
}

/** Problems that the last refused Continue found, and that are not corrected yet. */
export function refusedProblemsOf(snapshot: OrderFormSnapshot): readonly FieldProblem[] {
  const { rugs, contactErrors, deliveryOption, refusedFields } = snapshot.context;
  const problems = stepOf(snapshot) === 'rugs' ? rugProblems(rugs) : contactProblems(contactErrors, deliveryOption);
  return problems.filter(({ fieldId }) => refusedFields.includes(fieldId));
}

export function sameItems<Item>(before: readonly Item[], after: readonly Item[]): boolean {
  return before.length === after.length && before.every((item, index) => Object.is(item, after[index]));
}

export function sameProblems(before: readonly FieldProblem[], after: readonly FieldProblem[]): boolean {
  return (
    before.length === after.length &&
    before.every(({ fieldId, message }, index) => {
      const other = after[index];
      return fieldId === other?.fieldId && message === other.message;
    })
  );
}
