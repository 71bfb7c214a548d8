import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { presetName } from '@kilim/domain/size-presets';
import { type Context, Hono } from 'hono';
import { compress } from 'hono/compress';
import type { PageData } from '../../../../contract/page-data.ts';
import { type HandedOverOrder, type HandOver, limitHandOver, receiveOrder } from '../shop/handed-over-order.ts';
import { builtFiles, type Manifest, officeEntry, shopEntry } from './built-files.ts';
import { jsonBlock } from './json-block.ts';
import { officePages, type RenderOffice, type StartOf } from './office-pages.ts';
import { callLink, withHead } from './page-head.ts';
import { isForFrame, paintedFirst, type RenderHome, withFrameMark } from './render-home.ts';
import { hashesOfInlineScripts, shellFor, withMarkup } from './shell.ts';

export type Pages = {
  readonly root: string;
  readonly data: () => PageData;
  /** Called for every page, because the settings name image hosts. */
  readonly contentSecurityPolicy: (inlineScripts: readonly string[]) => string;
  /** `nonce` is for the back office's style sheets. */
  readonly adminContentSecurityPolicy: (nonce: string, inlineScripts: readonly string[]) => string;
  /** Absent: the browser renders everything. */
  readonly renderHome?: RenderHome;
  readonly renderOffice?: RenderOffice;
};

/** Other paths get the not-found screen and status 404. */
const modules = {
  '/checkout': 'src/embed/checkout-place.tsx',
  '/payment-success': 'src/receipt/receipt-page.tsx',
  '/difference/:id': 'src/difference/difference-page.tsx',
} as const;

const homeModule = 'src/home/home-page.tsx';

export type PagesOptions = {
  /** Absent when frames take payments. */
  readonly handOver?: HandOver | undefined;
  readonly isOffice: (c: Context) => boolean;
  readonly startOf: StartOf;
  readonly shopUrl: string;
};

type Filling = { readonly isHome?: boolean; readonly order?: HandedOverOrder | undefined };

export function pages(options: Pages, { handOver, isOffice, startOf, shopUrl }: PagesOptions) {
  const shell = readBuilt(options.root, shopEntry);
  const manifest = JSON.parse(readBuilt(options.root, '.vite/manifest.json')) as Manifest;
  const inlineScripts = hashesOfInlineScripts(shell);
  const headers = () => ({
    ...securityHeaders(options.contentSecurityPolicy(inlineScripts)),
    vary: 'sec-fetch-dest',
  });
  const filled = (c: Context, page: string, { isHome = false, order }: Filling = {}) => {
    const data = options.data();
    const callable = page.replace('<!--kilim:call-->', () => callLink(data.config.business.phone));
    const framed = isForFrame(c.req.header('sec-fetch-dest')) ? withFrameMark(callable) : callable;
    return withData(withHead(framed, { data, shopUrl, isHome }), data, order);
  };
  const app = new Hono();
  app.route('/', builtFiles({ root: options.root, manifest, isOffice }));
  for (const [path, chunk] of Object.entries(modules)) {
    const page = shellFor({ shell, manifest, chunk });
    app.get(path, compress(), (c) => c.html(filled(c, page), 200, headers()));
  }
  const home = shellFor({ shell, manifest, chunk: homeModule });
  const paintedHome = paintedFirst(home, (file) => readBuilt(options.root, file));
  app.get('/', compress(), async (c) => {
    const framed = isForFrame(c.req.header('sec-fetch-dest'));
    const markup = framed
      ? undefined
      : await options.renderHome?.(options.data(), commonSize(options.data(), c.req.query('size')));
    const page = markup === undefined ? home : withMarkup(paintedHome, markup);
    return c.html(filled(c, page, { isHome: true }), 200, headers());
  });
  const office = officePages(options, {
    ...{ manifest, startOf },
    shell: readBuilt(options.root, officeEntry),
    read: (file) => readBuilt(options.root, file),
  });
  const answerOffice = async (c: Context) => {
    const { page, headers } = await office(c);
    return c.html(filled(c, page), 200, headers);
  };
  app.get('/admin', compress(), answerOffice);
  app.get('/admin/*', compress(), answerOffice);
  if (handOver !== undefined) {
    const checkout = shellFor({ shell, manifest, chunk: modules['/checkout'] });
    // The page holds the customer's order, so it must not be cached.
    const answer = (c: Context, status: 200 | 403 | 413 | 422, order?: HandedOverOrder) =>
      c.html(filled(c, checkout, { order }), status, { ...headers(), 'cache-control': 'no-store' });
    // With a refused order, the checkout shows the browser's own order or none.
    app.post(
      '/checkout',
      compress(),
      limitHandOver((c) => answer(c, 413)),
      async (c) => {
        const received = await receiveOrder(c, handOver);
        return received.ok ? answer(c, 200, received.value) : answer(c, received.rejection.status);
      },
    );
  }
  const unknown = shellFor({ shell, manifest, chunk: undefined });
  app.get('*', compress(), (c) => c.html(filled(c, unknown), 404, headers()));
  app.all('*', (c) => c.text('Method not allowed', 405, { allow: 'GET, HEAD' }));
  return app;
}

/** Another text in the address counts as no size, because the markup of each size is kept. */
function commonSize({ settings }: PageData, asked: string | undefined): string {
  return settings.sizePresets.map(presetName).find((name) => name === asked) ?? '';
}

function readBuilt(root: string, file: string): string {
  try {
    return readFileSync(join(root, file), 'utf8');
  } catch {
    throw new Error('The front end is not built yet: run "npm run build" first.');
  }
}

function withData(page: string, data: PageData, order?: HandedOverOrder): string {
  const blocks = [{ id: 'kilim', data }, ...(order === undefined ? [] : [{ id: 'kilim-order', data: order }])];
  const markup = blocks.map((block) => jsonBlock({ type: 'application/json', ...block })).join('');
  return page.replace('<!--kilim:data-->', () => markup);
}

function securityHeaders(contentSecurityPolicy: string): Record<string, string> {
  return {
    'cache-control': 'no-cache',
    'content-security-policy': contentSecurityPolicy,
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'permissions-policy':
      'payment=(self "https://web.squarecdn.com" "https://sandbox.web.squarecdn.com"), camera=(), microphone=(), geolocation=()',
    'referrer-policy': 'strict-origin-when-cross-origin',
  };
}
