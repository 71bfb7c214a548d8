import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import { type Context, Hono } from 'hono';
import { compress } from 'hono/compress';
import type { PageData } from '../../../contract/page-data.ts';
import { type HandedOverOrder, type HandOver, limitHandOver, receiveOrder } from '../shop/handed-over-order.ts';
import { hideOfficeFiles, type Manifest, officeEntry, shopEntry } from './built-files.ts';
import { isForFrame, type RenderHome, withMarkup } from './render-home.ts';

/** The built front end, and the data that the server writes into its pages. */
export type Pages = {
  /** The folder of the built front end. */
  readonly root: string;
  readonly data: () => PageData;
  /**
   * Called for every page, because the settings name image hosts. Inline scripts are given as
   * hashes.
   */
  readonly contentSecurityPolicy: (inlineScripts: readonly string[]) => string;
  /** The same for the back office, whose style sheets carry this nonce. */
  readonly adminContentSecurityPolicy: (nonce: string, inlineScripts: readonly string[]) => string;
  /** Absent: the browser renders everything. */
  readonly renderHome?: RenderHome;
};

/**
 * Pages besides the home page. Any other path gets the application's not-found screen and status
 * 404.
 */
const routes = {
  '/checkout': 'src/routes/checkout.tsx?tsr-split=component',
  '/payment-success': 'src/routes/payment-success.tsx?tsr-split=component',
} as const;

const homeRoute = 'src/routes/index.tsx?tsr-split=component';
const adminRoute = 'src/routes/admin.tsx?tsr-split=component';

export type PagesOptions = {
  /** Lets the checkout take orders over from a frame; absent when frames take payments. */
  readonly handOver?: HandOver | undefined;
  /** Whether a request was sent to the origin of the back office. */
  readonly isOffice: (c: Context) => boolean;
};

export function pages(options: Pages, { handOver, isOffice }: PagesOptions) {
  const shell = readBuilt(options.root, shopEntry);
  const officeShell = readBuilt(options.root, officeEntry);
  const manifest = JSON.parse(readBuilt(options.root, '.vite/manifest.json')) as Manifest;
  const inlineScripts = hashesOfInlineScripts(shell);
  const headers = () => securityHeaders(options.contentSecurityPolicy(inlineScripts));
  const app = new Hono();

  app.use('/assets/*', hideOfficeFiles(manifest, isOffice));
  app.use('/assets/*', async (c, next) => {
    await next();
    if (!c.res.ok) return;
    // The file names contain hashes, so the files never change.
    c.header('cache-control', 'public, max-age=31536000, immutable');
  });
  app.use('/assets/*', serveStatic({ root: options.root, precompressed: true }));
  app.all('/assets/*', (c) => c.text('Not found', 404));
  app.get('/embed.js', async (c, next) => {
    await next();
    if (!c.res.ok) return;
    // Other sites load it by this fixed name, so a new version must reach them soon.
    c.header('cache-control', 'public, max-age=300, stale-while-revalidate=86400');
    c.header('cross-origin-resource-policy', 'cross-origin');
  });
  app.get('/embed.js', serveStatic({ root: options.root, path: 'embed.js', precompressed: true }));
  for (const [path, chunk] of Object.entries(routes)) {
    const page = shellFor({ shell, manifest, chunk });
    app.get(path, compress(), (c) => c.html(withData(page, options.data()), 200, headers()));
  }
  const home = shellFor({ shell, manifest, chunk: homeRoute });
  app.get('/', compress(), async (c) => {
    const data = options.data();
    const markup = isForFrame(c.req.header('sec-fetch-dest')) ? undefined : await options.renderHome?.(data);
    return c.html(withData(withMarkup(home, markup), data), 200, { ...headers(), vary: 'sec-fetch-dest' });
  });
  const backOffice = shellFor({ shell: officeShell, manifest, chunk: adminRoute });
  const officeScripts = hashesOfInlineScripts(officeShell);
  const answerBackOffice = (c: Context) => {
    const nonce = randomBytes(16).toString('base64');
    const page = backOffice.replace('</head>', `<meta property="csp-nonce" nonce="${nonce}"></head>`);
    return c.html(withData(page, options.data()), 200, {
      ...securityHeaders(options.adminContentSecurityPolicy(nonce, officeScripts)),
      // A nonce is valid for one answer, and the back office must not be cached or framed.
      'cache-control': 'no-store',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'payment=(), camera=(), microphone=(), geolocation=()',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    });
  };
  app.get('/admin', compress(), answerBackOffice);
  app.get('/admin/*', compress(), answerBackOffice);
  if (handOver !== undefined) {
    const checkout = shellFor({ shell, manifest, chunk: routes['/checkout'] });
    // The page holds the customer's order, so it must not be cached.
    const answer = (c: Context, status: 200 | 403 | 413 | 422, order?: HandedOverOrder) =>
      c.html(withData(checkout, options.data(), order), status, { ...headers(), 'cache-control': 'no-store' });
    // A refused order shows the checkout as the browser knows it: with its own order or with none.
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
  app.get('*', compress(), (c) => c.html(withData(unknown, options.data()), 404, headers()));
  app.all('*', (c) => c.text('Method not allowed', 405, { allow: 'GET, HEAD' }));
  return app;
}

/** The hashes of inline scripts, as a content security policy lists them. */
function hashesOfInlineScripts(html: string): readonly string[] {
  return [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => {
    return `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
  });
}

function readBuilt(root: string, file: string): string {
  try {
    return readFileSync(join(root, file), 'utf8');
  } catch {
    throw new Error('The front end is not built yet: run "npm run build" first.');
  }
}

type Shell = { readonly shell: string; readonly manifest: Manifest; readonly chunk: string | undefined };

/**
 * The page with preloads for its route's scripts and styles. So the browser loads them in parallel,
 * and the first paint has its styles.
 */
function shellFor({ shell, manifest, chunk }: Shell): string {
  const files = chunk === undefined ? { scripts: [], styles: [] } : filesOf(manifest, chunk);
  const preloads = files.scripts
    .filter((file) => !shell.includes(file))
    .map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`);
  const styles = files.styles
    .filter((file) => !shell.includes(file))
    .map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`);
  return shell.replace('<!--kilim:head-->', () => [...preloads, ...styles].join(''));
}

function filesOf(manifest: Manifest, chunk: string): { readonly scripts: string[]; readonly styles: string[] } {
  const seen = new Set<string>();
  const scripts: string[] = [];
  const styles: string[] = [];
  const add = (key: string) => {
    const entry = manifest[key];
    if (entry === undefined || seen.has(key)) return;
    seen.add(key);
    scripts.push(entry.file);
    styles.push(...(entry.css ?? []));
    for (const imported of entry.imports ?? []) add(imported);
  };
  add(chunk);
  return { scripts, styles };
}

function withData(page: string, data: PageData, order?: HandedOverOrder): string {
  const blocks = [dataBlock('kilim', data), ...(order === undefined ? [] : [dataBlock('kilim-order', order)])];
  return page.replace('<!--kilim:data-->', () => blocks.join(''));
}

/**
 * A JSON data block needs no exception in the policy, because it is not a script. `<` is escaped so
 * that no text can end the block; the line separators that only JSON allows are escaped too.
 */
function dataBlock(id: string, data: unknown): string {
  const json = JSON.stringify(data).replaceAll(
    /[<\u2028\u2029]/g,
    (character) => String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `<script type="application/json" id="${id}">${json}</script>`;
}

/** The headers in which pages differ from all other answers. `setHeaders` adds those that all have. */
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
