import { readFileSync } from 'node:fs';
import { Hono } from 'hono';
import { type Cooperation, marketingPage } from './marketing-page.ts';

const files = {
  'demo.css': { text: browserFile('demo.css'), type: 'text/css' },
  'order-events.js': { text: browserFile('order-events.js'), type: 'text/javascript' },
  'own-bar.js': { text: browserFile('own-bar.js'), type: 'text/javascript' },
} as const;

function browserFile(name: string): string {
  return readFileSync(new URL(`browser/${name}`, import.meta.url), 'utf8');
}

/** @param orders the form's address; a function, because that server starts later. */
export function demoApp(orders: () => string): Hono {
  const app = new Hono();
  app.get('/', (c) => c.redirect('/demo/embed'));
  app.get('/demo/embed', (c) => {
    const origin = orders();
    return c.html(marketingPage(origin, cooperationOf(c.req.query('script'))), 200, {
      'cache-control': 'no-store',
      // As strict as a careful company's policy: the embed script must work under it.
      'content-security-policy': `default-src 'none'; script-src 'self' ${origin}; style-src 'self'; frame-src ${origin}; img-src 'self'; base-uri 'none'; form-action 'none'`,
      'x-content-type-options': 'nosniff',
    });
  });
  for (const [name, { text, type }] of Object.entries(files)) {
    app.get(`/demo/${name}`, (c) => c.body(text, 200, { 'content-type': `${type}; charset=utf-8` }));
  }
  return app;
}

/** `?script=none` uses only the specification's messages, `?script=silent` none. */
function cooperationOf(script: string | undefined): Cooperation {
  if (script === 'none') return 'own-bar';
  return script === 'silent' ? 'silent' : 'script';
}
