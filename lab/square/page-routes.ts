import { readFileSync } from 'node:fs';
import { Hono } from 'hono';
import { indexPage, receiptPage } from './pages.ts';
import { fieldTriggers, testCards } from './test-cards.ts';
import type { World } from './world.ts';

/** The modules that replace https://web.squarecdn.com/v1/square.js; it imports the others. */
const scripts: Readonly<Record<string, string>> = {
  'square.js': browserFile('square.js'),
  'card-field.js': browserFile('card-field.js'),
  'card-inputs.js': browserFile('card-inputs.js'),
  'card-rules.js': browserFile('card-rules.js'),
  'wallet.js': browserFile('wallet.js'),
  'card-styles.js': moduleOf({ styles: browserFile('card-field.css') }),
  // The browser gets the numbers and the tokens' outcomes, but not what the server does with them.
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

export function pageRoutes(world: World): Hono {
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
