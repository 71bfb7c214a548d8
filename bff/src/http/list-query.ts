import { ok, type Result, rejected } from '@kilim/domain/result';
import type { Context } from 'hono';
import { z } from 'zod';
import type { Page } from '../queries/paging.ts';
import { invalidFields, type Problem } from './problem.ts';

/** What all lists of the back office understand in their addresses, and how they say where the other pages are. */

const mostRowsPerPage = 100;
/** Far more pages than any list has, and few enough that counting rows stays exact. */
const lastPage = 10_000_000;

export const pageQuery = {
  page: z.coerce.number('Please give a page from 1').int().min(1, 'Pages begin at 1').max(lastPage).default(1),
  pageSize: z.coerce
    .number('Please give a number')
    .int()
    .min(1, 'At least 1')
    .max(mostRowsPerPage, 'At most 100')
    .default(10),
  search: z
    .string()
    .max(200, 'At most 200 characters')
    .transform((text) => plainText(text).trim())
    .transform((text) => (text === '' ? undefined : text))
    .optional(),
};

/** A day of the calendar: `2026-11-21`. */
export const day = z
  .string()
  .refine((text) => isDay(text), 'Please give a day like 2026-11-21')
  .optional();

/** For lists from one day to another. */
export function inOrderOfDays({ from, to }: { readonly from?: string | undefined; readonly to?: string | undefined }) {
  return from === undefined || to === undefined || from <= to;
}

export const daysOutOfOrder = { error: 'This is before the first day', path: ['to'] };

function isDay(text: string): boolean {
  if (!/^(19|20)\d\d-\d\d-\d\d$/.test(text)) return false;
  const instant = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text);
}

/** Without characters that nobody types and PostgreSQL cannot keep. */
export function plainText(text: string): string {
  return text.toWellFormed().replaceAll(/[^\P{Cc}\n\t]/gu, '');
}

/** What is left out and what is empty is the same. What is wrong is said field by field. */
export function parseQuery<Schema extends z.ZodType>(c: Context, schema: Schema): Result<z.output<Schema>, Problem> {
  const given = Object.fromEntries(Object.entries(c.req.query()).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(given);
  if (parsed.success) return ok(parsed.data);
  const fields: Record<string, string> = {};
  for (const issue of parsed.error.issues) fields[issue.path.join('.') || 'query'] ??= issue.message;
  return rejected(invalidFields(fields));
}

/** The total and the addresses of the other pages, relative to this one and with the same filters. */
export function describePages(
  c: Context,
  { total, isLeast }: Page<unknown>,
  { page, pageSize }: { readonly page: number; readonly pageSize: number },
): void {
  const last = Math.max(1, Math.ceil(total / pageSize));
  const address = (number: number) => {
    const query = new URLSearchParams(c.req.query());
    query.set('page', String(number));
    return `<${c.req.path}?${query.toString()}>`;
  };
  const links = [`${address(1)}; rel="first"`];
  if (page > 1) links.push(`${address(Math.min(page - 1, last))}; rel="prev"`);
  if (page < last) links.push(`${address(page + 1)}; rel="next"`);
  if (!isLeast) links.push(`${address(last)}; rel="last"`);
  c.header('link', links.join(', '));
  c.header('x-total-count', String(total));
  if (isLeast) c.header('x-total-at-least', 'true');
}
