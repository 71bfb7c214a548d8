import { expect, test } from 'vitest';
import type { Ask } from './square-client.ts';
import { readAll } from './square-lists.ts';

/** Each page has one item. */
async function listWith(cursorAfter: (page: number) => string | undefined) {
  let pages = 0;
  const ask: Ask = async (call) => ({ kind: 'answered', body: await Reflect.apply(call, undefined, []) });
  const listed = await readAll(ask, {
    page: async () => {
      const page = { response: { cursor: cursorAfter(pages) }, data: [pages] };
      pages += 1;
      return page;
    },
    parse: (item) => item as number,
  });
  return { listed, pages };
}

test('pages are read until there is no cursor', async () => {
  const { listed } = await listWith((page) => (page < 2 ? `after ${page}` : undefined));
  expect(listed).toEqual({ kind: 'listed', items: [0, 1, 2], unreadable: [], elsewhere: 0 });
});

test.each([1, 2, 3])('a cursor that comes again after %i pages ends the list with a named error', async (period) => {
  const { listed, pages } = await listWith((page) => `after ${page % period}`);
  expect(listed).toMatchObject({ kind: 'unknown', detail: 'a list whose pages repeat' });
  expect(pages).toBe(period + 1);
});

test('ever new cursors end with a named error', async () => {
  const { listed, pages } = await listWith((page) => `after ${page}`);
  expect(listed).toMatchObject({ kind: 'unknown', detail: 'a list of more than 2000 pages' });
  expect(pages).toBe(2001);
});
