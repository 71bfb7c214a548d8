import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';

/** Vite's manifest: the file, imports and styles of each source. */
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

/** Does not serve the shop's origin the files that only the back office can load. */
export function hideOfficeFiles(manifest: Manifest, isOffice: (c: Context) => boolean) {
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
