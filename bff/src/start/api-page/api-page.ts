import { Hono } from 'hono';
import { html } from 'hono/html';
import { closedPolicy } from '../../core/http/response-headers.ts';
import { describeApi } from './open-api.ts';

/** The page runs no script and loads nothing from other hosts. */
export function apiPage() {
  return new Hono().get('/dev/api', async (c) => {
    c.header('content-security-policy', `${closedPolicy}; style-src 'unsafe-inline'`);
    const { paths, components } = await describeApi();
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
    );
    return c.html(html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width" />
          <title>Kilim API</title>
          <style>
            body { font: 1rem/1.5 system-ui; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
            summary { cursor: pointer; overflow-wrap: anywhere; padding: 0.25rem 0; }
            pre { background: #f4f4f4; overflow-x: auto; padding: 1rem; }
          </style>
        </head>
        <body>
          <h1>Kilim API</h1>
          <p><code>npm run openapi</code> writes it as OpenAPI 3.1 into build/openapi.json.</p>
          <h2>Calls</h2>
          ${operations.map(({ name, operation }) => detail(`${name}: ${operation.summary}`, operation))}
          <h2>Schemas</h2>
          ${Object.entries(schemasOf(components)).map(([name, schema]) => detail(name, schema))}
        </body>
      </html>`);
  });
}

function schemasOf(components: unknown): object {
  return typeof components === 'object' && components !== null && 'schemas' in components
    ? (components.schemas ?? {})
    : {};
}

function detail(name: string, shown: unknown) {
  return html`<details><summary>${name}</summary><pre>${JSON.stringify(shown, null, 2)}</pre></details>`;
}
