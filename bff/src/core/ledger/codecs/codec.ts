import { parseDay } from '@kilim/domain/day';
import { cents } from '@kilim/domain/money';
import type { Millipercent } from '@kilim/domain/percent';
import type { Inches } from '@kilim/domain/rug';
import { z } from 'zod';
import { canonicalJson } from '../hash.ts';

/** The payload is the text that was hashed. */
export type StoredEvent = {
  readonly type: string;
  readonly schemaVersion: number;
  readonly payload: string;
};

/** Only here the typed columns are taken from the event, so they equal the payload. */
export type EncodedEvent = StoredEvent & Columns;

export type Columns = { readonly amountCents: number | null; readonly refundId: string | null };

export type Codec<Event extends AnyEvent> = {
  readonly knows: (type: string) => type is Event['type'];
  readonly encode: (event: Event) => EncodedEvent;
  /**
   * @throws Error when the type or the version is unknown, or the payload does not fit: nothing acts on a stream that
   *   cannot be read.
   */
  readonly decode: (stored: StoredEvent) => Event;
};

export type AnyEvent = { readonly type: string };

/**
 * `upcasts.OrderPlaced[0]` reads version 1 and returns version 2. Stored events are never rewritten: their hashes cover
 * the bytes.
 */
type Upcasts<Event extends AnyEvent> = {
  readonly [Type in Event['type']]?: readonly ((older: unknown) => unknown)[];
};

type Shape<Event extends AnyEvent> = {
  readonly payloads: {
    readonly [Type in Event['type']]: z.ZodType<Omit<Extract<Event, { type: Type }>, 'type'>>;
  };
  readonly upcasts?: Upcasts<Event>;
  readonly columnsOf?: (event: Event) => Columns;
};

const noColumns: Columns = { amountCents: null, refundId: null };

export function createCodec<Event extends AnyEvent>(shape: Shape<Event>): Codec<Event> {
  const { payloads, upcasts = {}, columnsOf = () => noColumns } = shape;
  const upcastsOf = (type: Event['type']) => (upcasts as Upcasts<Event>)[type] ?? [];
  const knows = (type: string): type is Event['type'] => Object.hasOwn(payloads, type);
  return {
    knows,
    encode: (event) => {
      const { type, ...payload } = event;
      const schemaVersion = upcastsOf(event.type).length + 1;
      return { type, schemaVersion, payload: canonicalJson(payload), ...columnsOf(event) };
    },
    decode: ({ type, schemaVersion, payload }) => {
      if (!knows(type) || schemaVersion > upcastsOf(type).length + 1) {
        const what = `${type} in version ${schemaVersion}`;
        throw new Error(`The ledger holds ${what}, which this program does not know`);
      }
      const newest = upcastsOf(type)
        .slice(schemaVersion - 1)
        .reduce<unknown>((older, upcast) => upcast(older), JSON.parse(payload));
      // `payloads` is typed by the union of events, so the type and the payload belong together.
      return { type, ...payloads[type].parse(newest) } as Event;
    },
  };
}

/** Integer cents. */
export const money = z.int().transform(cents);

export const millipercent = z
  .int()
  .min(0)
  .transform((value) => value as Millipercent);

export const inches = z
  .int()
  .min(0)
  .transform((value) => value as Inches);

export function branded<Value>(what: string, parse: (text: string) => Value | undefined) {
  return z.string().transform((text, context): Value => {
    const value = parse(text);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: `Not ${what}` });
    return z.NEVER;
  });
}

export const day = branded('a day', parseDay);

export function each<const Name extends string, Schema extends z.ZodType>(
  names: readonly Name[],
  schema: Schema,
): Record<Name, Schema> {
  return Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, Schema>;
}
