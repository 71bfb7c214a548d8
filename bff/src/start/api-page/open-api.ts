import { readdir } from 'node:fs/promises';
import { permissions, rolesText } from '@kilim/domain/people/permissions';
import * as z from 'zod/mini';
import { accessOf, type Call, problemStatuses } from '../../../contract/call.ts';
import { calls } from '../../../contract/calls.ts';
import { dollars, signedDollars } from '../../../contract/money.ts';
import { problem, textsByName } from '../../../contract/problem.ts';

type Json = Readonly<Record<string, unknown>>;

export type OpenApi = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly [field: string]: unknown;
};
type Operation = Json & { readonly summary: string };

const contractFolder = new URL('../../../contract/', import.meta.url);

/** Schemas have the names under which the contract exports them. */
export async function describeApi(): Promise<OpenApi> {
  const schemas = await namedSchemas();
  const paths: Record<string, Record<string, Operation>> = {};
  for (const [name, call] of Object.entries<Call>(calls)) {
    const [method = '', path = ''] = name.split(' ');
    const address = path.replaceAll(/:(\w+)/g, '{$1}');
    paths[address] = { ...paths[address], [method.toLowerCase()]: operation(path, call, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Kilim', version: '1', description: 'Amounts are US dollars with at most two decimals.' },
    servers: [{ url: '/' }],
    paths,
    components: { schemas: componentsOf(schemas), securitySchemes },
  };
}

type Names = z.core.$ZodRegistry<{ id: string }>;

async function namedSchemas(): Promise<Names> {
  const names: Names = z.registry();
  const files = (await readdir(contractFolder)).filter((file) => file.endsWith('.ts')).sort();
  for (const file of files) {
    const exported = (await import(new URL(file, contractFolder).href)) as Readonly<Record<string, unknown>>;
    for (const [id, value] of Object.entries(exported))
      if (isSchema(value) && !names.has(value)) names.add(value, { id });
  }
  return names;
}

function isSchema(value: unknown): value is z.ZodMiniType {
  return typeof value === 'object' && value !== null && '_zod' in value;
}

const reference = (id: string) => `#/components/schemas/${id}`;

/** JSON Schema has no codecs and no checks in code, so these say what they mean. */
const inWords = new Map<z.core.$ZodType, Json>([
  [dollars, { type: 'number', minimum: 0, description: 'US dollars with at most two decimals' }],
  [signedDollars, { type: 'number', description: 'US dollars with at most two decimals; negative for money out' }],
  [textsByName, { type: 'object', additionalProperties: { type: 'string' } }],
]);

const asJsonSchema = {
  io: 'input',
  unrepresentable: 'any',
  override: ({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: object }) =>
    void Object.assign(jsonSchema, inWords.get(zodSchema)),
} as const;

function componentsOf(names: Names): Json {
  const { schemas } = z.toJSONSchema(names, { ...asJsonSchema, uri: reference });
  return Object.fromEntries(Object.entries(schemas).map(([id, { $schema: _, $id: __, ...schema }]) => [id, schema]));
}

function schemaOf(schema: z.ZodMiniType, names: Names): Json {
  const id = names.get(schema)?.id;
  if (id !== undefined) return { $ref: reference(id) };
  const { $schema: _, ...inline } = z.toJSONSchema(schema, asJsonSchema);
  return inline;
}

function operation(path: string, call: Call, names: Names): Operation {
  const content = (given: z.ZodMiniType | { readonly mediaType: string }): Json =>
    isSchema(given)
      ? { 'application/json': { schema: schemaOf(given, names) } }
      : { [given.mediaType]: { schema: { type: 'string' } } };
  const responses: Record<string, Json> = {};
  for (const [status, answer] of Object.entries(call.answers)) {
    responses[status] = { description: 'Answer', ...(answer === null ? {} : { content: content(answer) }) };
  }
  for (const status of problemStatuses(call)) {
    responses[status] ??= { description: 'Problem', content: content(problem) };
  }
  const scheme = schemeOf[accessOf(call)];
  return {
    summary: call.summary,
    ...permissionOf(call),
    parameters: [...pathParameters(path), ...queryParameters(call)],
    ...(call.body === undefined ? {} : { requestBody: { required: true, content: content(call.body) } }),
    responses,
    security: scheme === undefined ? [] : [{ [scheme]: [] }],
  };
}

function permissionOf({ permission }: Call): Json {
  if (permission === undefined) return {};
  const { roles, needsRecentProof } = permissions[permission];
  const who = `For ${rolesText(permission)}.`;
  const description = needsRecentProof ? `${who} The password must have been given within ten minutes.` : who;
  return { description, 'x-permission': permission, 'x-roles': roles };
}

function pathParameters(path: string): readonly Json[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters({ query }: Call): readonly Json[] {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = z.toJSONSchema(query, asJsonSchema);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

const schemeOf: Readonly<Record<ReturnType<typeof accessOf>, string | undefined>> = {
  anyone: undefined,
  session: 'session',
  'recent-session': 'session',
  'export-token': 'token',
  'metrics-token': 'token',
  'square-signature': 'squareSignature',
};

const securitySchemes: Json = {
  session: { type: 'apiKey', in: 'cookie', name: '__Host-kilim_admin' },
  token: { type: 'http', scheme: 'bearer' },
  squareSignature: { type: 'apiKey', in: 'header', name: 'x-square-hmacsha256-signature' },
};
