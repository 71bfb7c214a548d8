import { type Hook, zValidator } from '@hono/zod-validator';
import type { Context, Env } from 'hono';
import * as z from 'zod/mini';
import { answerProblem, invalidFields, type Problem } from './problem.ts';

// zod/mini has no texts of its own.
z.config(z.locales.en());

export type Refuse = (c: Context, problem: Problem) => Response;

const malformedJson: Problem = { status: 400, code: 'MalformedJson', message: 'The request is not valid JSON.' };

type Found<Target extends 'json' | 'query', Schema extends z.ZodMiniType> = {
  in: Record<Target, z.input<Schema>>;
  out: Record<Target, z.output<Schema>>;
};

/** A body that does not fit is answered 422 with the wrong fields, or by `refuse`. */
export function body<Schema extends z.ZodMiniType, E extends Env>(schema: Schema, refuse: Refuse = answerProblem) {
  const validate = validator<'json', Schema, E>('json', schema, refuse);
  const read: typeof validate = async (c, next) => {
    // A body that turns out too large must stay a 413.
    try {
      await c.req.json();
    } catch (error) {
      if (error instanceof SyntaxError) return refuse(c, malformedJson);
      throw error;
    }
    return validate(c, next);
  };
  return read;
}

/**
 * An empty parameter counts as absent. A repeated one is refused, because a proxy or a page could read its other value.
 */
export function query<Schema extends z.ZodMiniType<unknown, Record<string, unknown>>, E extends Env>(
  schema: Schema,
  refuse: Refuse = answerProblem,
) {
  const given = z.pipe(z.transform(filledIn), schema);
  return validator<'query', typeof given, E>('query', given, refuse);
}

function validator<Target extends 'json' | 'query', Schema extends z.ZodMiniType, E extends Env>(
  target: Target,
  schema: Schema,
  refuse: Refuse,
) {
  const whole = target === 'json' ? 'body' : 'query';
  const answerInvalid: Hook<z.output<Schema>, E, string, Target, object, Schema> = (result, c) => {
    if (!result.success) return refuse(c, problemOf(result.error, whole));
    const issues = unstorable(result.data);
    return issues.length === 0 ? undefined : refuse(c, problemOf({ issues }, whole));
  };
  return zValidator<
    Schema,
    Target,
    E,
    string,
    typeof answerInvalid,
    z.input<Schema>,
    z.output<Schema>,
    Found<Target, Schema>
  >(target, schema, answerInvalid);
}

/** @returns undefined when the text is not JSON */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Given = Readonly<Record<string, string | readonly string[]>>;

function filledIn(given: Given, { issues }: z.core.ParsePayload): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (typeof value !== 'string') {
      issues.push({ code: 'custom', path: [name], message: 'Please give this once', input: value });
    } else if (value !== '') found[name] = value;
  }
  return found;
}

/**
 * PostgreSQL stores no NUL, and half of a surrogate pair is no text. Fields that take such characters out have none
 * left here.
 */
export function unstorable(value: unknown, path: readonly string[] = []): readonly Issue[] {
  if (typeof value === 'string') {
    return value.isWellFormed() && !value.includes('\0')
      ? []
      : [{ path, message: 'Please leave out characters that are no text' }];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => unstorable(part, [...path, name]));
}

type Issue = { readonly path: readonly PropertyKey[]; readonly message: string };

function problemOf({ issues }: { readonly issues: readonly Issue[] }, whole: string): Problem {
  const fields: Record<string, string> = {};
  for (const issue of issues) fields[issue.path.join('.') || whole] ??= issue.message;
  return invalidFields(fields);
}
