import type { Context } from 'hono';
import type { Page } from '../queries/paging.ts';

/** The total, and the addresses of the other pages with the same filters. */
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
