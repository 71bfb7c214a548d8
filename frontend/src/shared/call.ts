import type { ParamOf } from '@kilim/bff/contract/call';
import type { calls } from '@kilim/bff/contract/calls';
import type * as z from 'zod/mini';
import type { ApiRequest } from './api-client.ts';

// Only the contract's types: a page loads only the shapes that it reads.
type Table = typeof calls;
type Name = keyof Table;

type Field<Of, Key extends PropertyKey> = Of extends Readonly<Record<Key, infer Value>> ? Value : never;
type Input<Content> = Content extends z.ZodMiniType ? z.input<Content> : never;
type Nothing = Record<never, never>;
/** Optional if `{}` fits it. */
type Given<Key extends string, Value> = [Value] extends [never]
  ? unknown
  : Nothing extends Value
    ? { readonly [Of in Key]?: Value }
    : { readonly [Of in Key]: Value };

type Answers<Of extends Name> = Table[Of]['answers'];
type Done<Of extends Name> = keyof Answers<Of> & (200 | 201 | 202);
type Answer<Of extends Name> = {
  [Status in Done<Of>]: Answers<Of>[Status] extends z.ZodMiniType ? z.output<Answers<Of>[Status]> : never;
}[Done<Of>];
/** `z.unknown()` for a page that reads nothing of the answer. */
type Shape<Of extends Name> = z.ZodMiniType<Answer<Of>> | z.ZodMiniUnknown;

type Sent<Of extends Name> = Given<'params', Readonly<Record<ParamOf<Of>, string | number>>> &
  Given<'query', Partial<Input<Field<Table[Of], 'query'>>>> &
  Given<'body', Input<Field<Table[Of], 'body'>>>;

type Sending = {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly answer?: z.ZodMiniType;
};

/** Their answer has no JSON. */
type Silent = { [Of in Name]: [Answer<Of>] extends [never] ? Of : never }[Name];

/** `call('GET /api/admin/orders/:id', { params: { id }, answer: orderDetail })`. */
export function call<Of extends Silent>(
  name: Of,
  ...asked: Nothing extends Sent<Of> ? [Sent<Of>?] : [Sent<Of>]
): ApiRequest<unknown>;
export function call<Of extends Exclude<Name, Silent>, As extends Shape<Of>>(
  name: Of,
  asked: Sent<Of> & { readonly answer: As },
): ApiRequest<z.output<As>>;
export function call(name: string, asked: Sending = {}): ApiRequest<unknown> {
  const { answer: schema = unread, body } = asked;
  const method = name.slice(0, name.indexOf(' ')) as ApiRequest<unknown>['method'];
  return { method, path: pathOf(name, asked), schema, ...(method === 'POST' ? { body: body ?? {} } : {}) };
}

const unread = { safeParse: () => ({ success: true, data: undefined }) } as const;

export function addressOf<Of extends Name>(
  name: Of,
  ...[asked]: Nothing extends Sent<Of> ? [Sent<Of>?] : [Sent<Of>]
): string {
  return pathOf(name, (asked ?? {}) as Sending);
}

/** `?page=2&search=ada`, without empty ones. */
function pathOf(name: string, { params = {}, query = {} }: Sending): string {
  const path = name
    .slice(name.indexOf(' ') + 1)
    .replaceAll(/:(\w+)/g, (_, param: string) => encodeURIComponent(params[param] ?? ''));
  const found = Object.entries(query).flatMap(([key, value]) =>
    value === undefined || value === '' ? [] : [[key, String(value)]],
  );
  return found.length === 0 ? path : `${path}?${new URLSearchParams(found).toString()}`;
}
