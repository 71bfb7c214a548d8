import { expect, test } from 'vitest';
import type { MessageFromParent } from './messages.ts';
import { openParentPage } from './parent-page.ts';

const shop = 'https://www.rugs.example';
const blog = 'https://blog.rugs.example';
const toCart = { type: 'NAVIGATE_TO_CART' } as const;

function frame() {
  const posted: { message: unknown; to: string }[] = [];
  let deliver = (_: { origin: string; source: unknown; data: unknown }): void => undefined;
  const parent = { postMessage: (message: unknown, to: string) => posted.push({ message, to }) };
  const received: MessageFromParent[] = [];
  const page = openParentPage(
    { parent, addEventListener: (_, listener) => (deliver = (event) => listener(event as MessageEvent<unknown>)) },
    [shop, blog],
  );
  page.listen((message) => received.push(message));
  return { page, parent, posted, received, deliver: (event: Parameters<typeof deliver>[0]) => deliver(event) };
}

test('messages are accepted only from the parent page, and only from an allowed origin', () => {
  const { parent, received, deliver } = frame();
  deliver({ origin: 'https://stranger.example', source: parent, data: toCart });
  deliver({ origin: shop, source: {}, data: toCart });
  deliver({ origin: 'null', source: parent, data: toCart });
  deliver({ origin: `${shop}.stranger.example`, source: parent, data: toCart });
  deliver({ origin: shop, source: parent, data: 'NAVIGATE_TO_CART' });
  expect(received).toEqual([]);
  deliver({ origin: shop, source: parent, data: toCart });
  expect(received).toEqual([toCart]);
});

test('messages are posted to all possible origins until the parent sends one, then only to its origin', () => {
  const { page, parent, posted, deliver } = frame();
  page.post({ type: 'SCROLL_TO_IFRAME_TOP' });
  expect(posted.map(({ to }) => to)).toEqual([shop, blog]);
  deliver({ origin: blog, source: parent, data: toCart });
  page.post({ type: 'SCROLL_TO_IFRAME_TOP' });
  expect(posted.map(({ to }) => to)).toEqual([shop, blog, blog]);
  deliver({ origin: shop, source: parent, data: { type: 'NAVIGATE_TO_RUG', rugIndex: 0 } });
  page.post({ type: 'SCROLL_TO_IFRAME_TOP' });
  expect(posted.at(-1)?.to).toBe(blog);
});
