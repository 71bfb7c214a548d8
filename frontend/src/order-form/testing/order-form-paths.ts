import type { QuotedOrder } from '@kilim/bff/contract/quote';
import { emptyContact } from '@kilim/domain/contact';
import { ok, type Result, rejected } from '@kilim/domain/result';
import { newRug, side } from '@kilim/domain/rug';
import { initialTransition, type SnapshotFrom, transition } from 'xstate';
import { getShortestPaths } from 'xstate/graph';
import type { ApiFailure } from '../../shared/api-client.ts';
import { quoteA } from '../../shared/testing/orders.ts';
import { isFolded, newDraft, type OrderDraft, sizedRug } from '../draft.ts';
import type { OrderFormEvent } from '../order-form-events.ts';
import { orderFormMachine } from '../order-form-machine.ts';
import { noSizes, typedPreset } from '../size-input.ts';

/** Shared by the specs of the order form. */

/** The paths type the name. */
const adaWithoutName = { ...emptyContact, email: 'ada@example.com', phone: '3105550100' };
export const eightByTen = sizedRug(newRug, { ...noSizes, widthFeet: '8', lengthFeet: '10' });

export function refusalOf(fields: Readonly<Record<string, string>>): ApiFailure {
  return {
    kind: 'refused',
    status: 422,
    code: 'InvalidOrder',
    message: 'Please check the marked fields.',
    fields,
    body: undefined,
    text: '422: ',
  };
}

export type Answer = Result<QuotedOrder, ApiFailure>;
type ServerAnswered = { readonly type: 'xstate.done.actor.0.order-form.submitting'; readonly output: Answer };

const answered = (output: Answer): ServerAnswered => ({
  type: 'xstate.done.actor.0.order-form.submitting',
  output,
});

const pathEvents = [
  { type: 'rug.added' },
  { type: 'rug.removed', index: 0 },
  { type: 'rug.duplicated', index: 0 },
  { type: 'rug.visited', index: 0 },
  { type: 'rug.sizesFilled', index: 0, sizes: typedPreset({ width: side(8, 0), length: side(10, 0) }) },
  { type: 'rug.sizeTyped', index: 0, field: 'widthFeet', text: '8' },
  { type: 'rug.chosen', index: 0, choice: { tier: 'economy' } },
  { type: 'rugs.continued' },
  { type: 'cart.leftForRugs' },
  { type: 'delivery.chosen', option: 'pickup' },
  { type: 'contact.typed', field: 'name', text: 'Ada Byron' },
  { type: 'cart.submitted' },
  answered(ok(quoteA)),
  answered(rejected({ kind: 'no-answer', cause: 'network' })),
  answered(rejected(refusalOf({ 'customerInfo.email': 'No such mailbox' }))),
  answered(rejected(refusalOf({ 'rugs.0.lengthFeet': 'Too long' }))),
] as const satisfies readonly (OrderFormEvent | ServerAnswered)[];
export type PathEvent = (typeof pathEvents)[number];

export const pathsStart: OrderDraft = { ...newDraft, contact: adaWithoutName };

export type FormState = SnapshotFrom<typeof orderFormMachine>;
type FormStep = { readonly event: PathEvent; readonly state: FormState };

/** With up to two rugs; omits paths that are the start of another one. */
export function shortestPaths(): readonly (readonly FormStep[])[] {
  const paths = getShortestPaths(orderFormMachine, {
    input: pathsStart,
    events: [...pathEvents] as unknown as OrderFormEvent[],
    serializeState: kindOf,
    stopWhen: ({ context }) => context.rugs.length > 2,
  }).filter(({ state }) => state.context.rugs.length <= 2);
  const passed = new Set(paths.flatMap(({ steps }) => steps.slice(0, -1).map(({ state }) => kindOf(state))));
  return paths
    .filter(({ state }) => !passed.has(kindOf(state)))
    .map(({ steps }) => walk(steps.slice(1).map(({ event }) => event as unknown as PathEvent)));
}

/** The graph merges states of the same kind, so its own states can differ from those on this path. */
function walk(events: readonly PathEvent[]): readonly FormStep[] {
  let [state] = initialTransition(orderFormMachine, pathsStart);
  const step = (event: PathEvent) => {
    [state] = transition(orderFormMachine, state, event as OrderFormEvent);
    return { event, state };
  };
  return events.flatMap((event) => (isForFolded(event, state) ? [step(editFirst), step(event)] : [step(event)]));
}

const editFirst = { type: 'rug.visited', index: 0 } as const;

/** A folded rug has no boxes and choices. */
function isForFolded({ type }: PathEvent, { context }: FormState): boolean {
  const needsCard = type === 'rug.sizesFilled' || type === 'rug.sizeTyped' || type === 'rug.chosen';
  const [first] = context.rugs;
  return needsCard && first !== undefined && isFolded(first);
}

/** Typed numbers do not matter, but completeness and errors do. */
function kindOf({ value, context }: FormState): string {
  const { rugs, deliveryOption, contact, contactErrors, failure } = context;
  const atRugs = rugs.map(({ rug, errors }) => [rug.width * rug.length > 0, Object.keys(errors)]);
  const atCart = [rugs.length, deliveryOption, contact.name === '', Object.keys(contactErrors)];
  return JSON.stringify([value, value === 'rugs' ? atRugs : atCart, failure?.kind]);
}
