import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { apiRoutes } from './api-routes.ts';
import { type Controls, controlRoutes } from './control-routes.ts';
import { applyFault, type HttpEnv } from './fault-effects.ts';
import { pageRoutes } from './page-routes.ts';

/** All routes of the local Square. Faults are applied before the API sees a request. */
export function createApp(controls: Controls): Hono<HttpEnv> {
  const { world } = controls;
  const app = new Hono<HttpEnv>();
  const faultInjector = createFaultInjector(controls);
  app.route('/__sim', controlRoutes(controls));
  app.use('/v2/*', createRequestLogger(controls));
  app.use('/v2/*', faultInjector);
  app.use('/v1/*', faultInjector);
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
    // Clear first: otherwise Hono copies the headers of the old response to the new one.
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

/** @returns undefined for a body that is not JSON; the API refuses such a body. */
async function readBody(request: { text: () => Promise<string> }): Promise<unknown> {
  try {
    return JSON.parse(await request.text()) as unknown;
  } catch {
    return undefined;
  }
}
