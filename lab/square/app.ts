import { readFileSync } from 'node:fs';
import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { apiRoutes } from './api-routes.ts';
import { type Controls, controlRoutes } from './control-routes.ts';
import { applyFault, type HttpEnv } from './fault-effects.ts';
import { hostileEdge } from './hostile.ts';
import { indexPage, receiptPage } from './pages.ts';
import { fieldTriggers, testCards } from './test-cards.ts';
import type { World } from './world.ts';

/** Faults are applied before the API sees a request. */
export function createApp(controls: Controls): Hono<HttpEnv> {
  const { world } = controls;
  const app = new Hono<HttpEnv>();
  const faultInjector = createFaultInjector(controls);
  app.route('/__sim', controlRoutes(controls));
  app.use('/v2/*', createRequestLogger(controls));
  app.use('/v2/*', faultInjector);
  app.use('/v1/*', faultInjector);
  app.use('/v2/*', hostileEdge(world));
  app.route('/v2', apiRoutes(world));
  app.route('/', pageRoutes(world));
  return app;
}

function createFaultInjector({ world, cardFaults }: Controls) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const { method, path } = c.req;
    const fault =
      world.faults.takeForRequest(method, path) ?? cardFaults.take({ method, path, body: await readBody(c.req) });
    c.set('fault', fault);
    if (fault === undefined) {
      await next();
      return;
    }
    const response = await applyFault(c, next, fault);
    // Otherwise Hono copies the headers of the old response to the new one.
    c.res = undefined;
    c.res = response;
  });
}

function createRequestLogger({ world, requests }: Controls) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const { method, path } = c.req;
    const at = world.clock.now().toISOString();
    const body = await readBody(c.req);
    await next();
    const kind = c.get('fault')?.kind;
    const cut = kind !== undefined && /^(hang|drop|truncate|stall)/.test(kind);
    const query = new URL(c.req.url).search;
    requests.add({ at, method, path, query, body, status: cut ? 'cut' : c.res.status, fault: kind });
  });
}

/** @returns undefined for a body that is not JSON; the API refuses it. */
async function readBody(request: { text: () => Promise<string> }): Promise<unknown> {
  try {
    return JSON.parse(await request.text()) as unknown;
  } catch {
    return undefined;
  }
}

/** Instead of https://web.squarecdn.com/v1/square.js, which imports the others. */
const scripts: Readonly<Record<string, string>> = {
  'square.js': browserFile('square.js'),
  'card-field.js': browserFile('card-field.js'),
  'card-inputs.js': browserFile('card-inputs.js'),
  'card-rules.js': browserFile('card-rules.js'),
  'wallet.js': browserFile('wallet.js'),
  'card-styles.js': moduleOf({ styles: browserFile('card-field.css') }),
  // The browser does not get what the server does with the numbers.
  'test-cards.js': moduleOf({
    testCards: testCards.map(({ number, brand, outcome }) => ({ number, brand, outcome })),
    fieldTriggers,
  }),
};

function browserFile(name: string): string {
  return readFileSync(new URL(`browser/${name}`, import.meta.url), 'utf8');
}

function moduleOf(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`)
    .join('');
}

function pageRoutes(world: World): Hono {
  const pages = new Hono();
  pages.get('/', (c) => c.html(indexPage()));
  pages.get('/receipt/preview/:id', (c) => {
    const record = world.store.state.payments.get(c.req.param('id'));
    return record === undefined ? c.notFound() : c.html(receiptPage(record.payment));
  });
  pages.get('/v1/:name', (c) => {
    const script = scripts[c.req.param('name')];
    if (script === undefined) return c.notFound();
    return c.body(script, 200, {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-store',
      // The order page has another origin, and modules are fetched with CORS.
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
  });
  return pages;
}
