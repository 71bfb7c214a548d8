import { serveStatic } from '@hono/node-server/serve-static';
import { type Context, Hono } from 'hono';
import { createMiddleware } from 'hono/factory';

export type Manifest = Readonly<
  Record<
    string,
    {
      readonly file: string;
      readonly imports?: readonly string[];
      readonly dynamicImports?: readonly string[];
      readonly css?: readonly string[];
      readonly assets?: readonly string[];
    }
  >
>;

export const shopEntry = 'index.html';
export const officeEntry = 'office.html';

export type BuiltFilesOptions = {
  readonly root: string;
  readonly manifest: Manifest;
  readonly isOffice: (c: Context) => boolean;
};

export function builtFiles({ root, manifest, isOffice }: BuiltFilesOptions) {
  const app = new Hono();
  app.use('/assets/*', hideOfficeFiles(manifest, isOffice));
  app.use('/assets/*', async (c, next) => {
    await next();
    if (!c.res.ok) return;
    // The file names contain hashes, so the files never change.
    c.res.headers.set('cache-control', 'public, max-age=31536000, immutable');
  });
  app.use('/assets/*', serveStatic({ root, precompressed: true }));
  app.all('/assets/*', (c) => c.text('Not found', 404));
  app.get('/embed.js', async (c, next) => {
    await next();
    if (!c.res.ok) return;
    // Other sites load it by this fixed name, so new versions must reach them soon.
    c.res.headers.set('cache-control', 'public, max-age=300, stale-while-revalidate=86400');
    c.res.headers.set('cross-origin-resource-policy', 'cross-origin');
  });
  app.get('/embed.js', serveStatic({ root, path: 'embed.js', precompressed: true }));
  return app;
}

/** The shop's origin does not serve files that only the back office can load. */
function hideOfficeFiles(manifest: Manifest, isOffice: (c: Context) => boolean) {
  const ofShop = filesOf(manifest, shopEntry);
  const hidden = new Set([...filesOf(manifest, officeEntry)].filter((file) => !ofShop.has(file)));
  return createMiddleware(async (c, next) => {
    const file = c.req.path.slice(1).replace(/\.(br|gz)$/, '');
    return hidden.has(file) && !isOffice(c) ? c.text('Not found', 404) : next();
  });
}

/** The files that a page can load, now or later. */
function filesOf(manifest: Manifest, entry: string): ReadonlySet<string> {
  const keys = new Set([entry]);
  // The loop also visits the keys that it adds.
  for (const key of keys) {
    const { imports = [], dynamicImports = [] } = manifest[key] ?? {};
    for (const imported of [...imports, ...dynamicImports]) keys.add(imported);
  }
  const chunks = [...keys].map((key) => manifest[key]).filter((chunk) => chunk !== undefined);
  return new Set(chunks.flatMap(({ file, css = [], assets = [] }) => [file, ...css, ...assets]));
}
