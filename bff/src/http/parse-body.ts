import { ok, type Result, rejected } from '@kilim/domain/result';
import type { Context } from 'hono';
import type { z } from 'zod';
import { invalidFields, type Problem } from './problem.ts';

/** Reads a JSON body with a schema. What is wrong is said field by field, never as a bare failure. */
export async function parseBody<Schema extends z.ZodType>(
  c: Context,
  schema: Schema,
): Promise<Result<z.output<Schema>, Problem>> {
  let body: unknown;
  try {
    body = JSON.parse(await c.req.text());
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return rejected({ status: 400, code: 'MalformedJson', message: 'The request is not valid JSON.' });
  }
  const parsed = schema.safeParse(body);
  if (parsed.success) return ok(parsed.data);
  const fields: Record<string, string> = {};
  for (const issue of parsed.error.issues) {
    const path = issue.path.join('.') || 'body';
    fields[path] ??= issue.message;
  }
  return rejected(invalidFields(fields));
}
