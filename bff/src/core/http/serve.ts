import type { Permission } from '@kilim/domain/people/permissions';
import type { Result } from '@kilim/domain/result';
import type { Context, Hono, MiddlewareHandler } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { ContentfulStatusCode, StatusCode } from 'hono/utils/http-status';
import * as z from 'zod/mini';
import type { Call, ParamOf } from '../../../contract/call.ts';
import { calls } from '../../../contract/calls.ts';
import { answerProblem, noSuchCall } from './problem.ts';
import type { ProvenExportToken, ProvenSession } from './proven.ts';
import type { RequestEnv } from './request-id.ts';
import { body, query, type Refuse, unstorable } from './validate.ts';

type Table = typeof calls;
export type ServedName = keyof Table;

/** Proves that a request may use a right of the back office. @returns the refusal, if it may not. */
export type Guard<By> = (c: Context<RequestEnv>, permission: Permission) => Promise<Result<By, Response>>;

/** A call that an export token opens takes a session, too. Only a guard makes either of them. */
type By<Of> = Of extends { readonly permission: Permission }
  ? ProvenSession | (Of extends { readonly access: 'export-token' } ? ProvenExportToken : never)
  : undefined;

type Field<Of, Name extends PropertyKey> = Of extends Readonly<Record<Name, infer Value>> ? Value : undefined;
type Parsed<Content> = Content extends z.ZodMiniType ? z.output<Content> : undefined;

type Answer<Answers> = <Status extends keyof Answers & StatusCode>(
  status: Status,
  ...value: Answers[Status] extends z.ZodMiniType
    ? [z.output<Answers[Status]>]
    : Answers[Status] extends null
      ? []
      : never
) => Response;

export type Asked<Name extends ServedName> = {
  readonly by: By<Table[Name]>;
  readonly params: Readonly<Record<ParamOf<Name>, string>>;
  readonly query: Parsed<Field<Table[Name], 'query'>>;
  /** Undefined if the handler reads the bytes. */
  readonly body: Table[Name] extends { readonly access: 'square-signature' }
    ? undefined
    : Parsed<Field<Table[Name], 'body'>>;
  /** A problem is answered with `answerProblem`. */
  readonly answer: Answer<Table[Name]['answers']>;
};

export type Handler<Name extends ServedName> = (
  c: Context<RequestEnv>,
  asked: Asked<Name>,
) => Response | Promise<Response>;

export type ServeOptions<Name extends ServedName> = {
  /** Runs before anything of the request is read. */
  readonly limit?: MiddlewareHandler<RequestEnv>;
  /** Answers a body that does not fit. */
  readonly refuse?: Refuse;
  readonly guard?: Guard<By<Table[Name]>>;
};

/** The guard comes before the shapes: an anonymous client never learns which fields are wrong. */
export type Serve<Names extends ServedName = ServedName> = <Name extends Names>(
  name: Name,
  handler: Handler<Name>,
  options?: ServeOptions<Name>,
) => void;

/** The calls that need no permission. */
export type OpenName = { [Name in ServedName]: By<Table[Name]> extends undefined ? Name : never }[ServedName];

export function createServe(app: Hono<RequestEnv>): Serve<OpenName>;
export function createServe(app: Hono<RequestEnv>, guard: Guard<ProvenSession>): Serve;
export function createServe(app: Hono<RequestEnv>, guardOfAll?: Guard<ProvenSession>): Serve {
  return (name, handler, { limit, refuse, guard = guardOfAll } = {}) => {
    const call: Call = calls[name];
    const [method = '', path = ''] = name.split(' ');
    const proven = new WeakMap<Context, unknown>();
    const checks: MiddlewareHandler<RequestEnv>[] = limit === undefined ? [] : [limit];
    if (call.permission !== undefined) checks.push(guarded(call.permission, guard, proven));
    if (call.permission !== undefined && path.includes(':')) checks.push(textParams);
    if (call.query !== undefined) checks.push(query(call.query));
    if (isSchema(call.body) && call.access !== 'square-signature') checks.push(body(call.body, refuse));
    app.on(method, [path], ...checks, (c) => {
      const asked = {
        by: proven.get(c),
        params: c.req.param() as Readonly<Record<string, string>>,
        // Hono does not know the types of checks in a list.
        query: c.req.valid('query' as never) as unknown,
        body: c.req.valid('json' as never) as unknown,
        answer: (status: ContentfulStatusCode, value: unknown) => {
          const shape = call.answers[status];
          return isSchema(shape) ? c.json(z.encode(shape, value), status) : c.body(null, status);
        },
      };
      // The checks above gave each field this shape.
      return handler(c, asked as Asked<typeof name>);
    });
  };
}

/** Nothing has such a name. */
const textParams: MiddlewareHandler<RequestEnv> = async (c, next) =>
  unstorable(c.req.param()).length === 0 ? next() : answerProblem(c, noSuchCall);

function guarded(
  permission: Permission,
  guard: Guard<unknown> | undefined,
  proven: WeakMap<Context, unknown>,
): MiddlewareHandler<RequestEnv> {
  if (guard === undefined) throw new Error(`There is no guard for the permission ${permission}.`);
  return createMiddleware(async (c, next) => {
    const proof = await guard(c, permission);
    if (!proof.ok) return proof.rejection;
    proven.set(c, proof.value);
    return next();
  });
}

function isSchema(content: Call['body'] | null): content is z.ZodMiniType {
  return content !== undefined && content !== null && '_zod' in content;
}
