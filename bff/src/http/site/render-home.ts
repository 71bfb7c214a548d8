import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { PageData } from '../../../contract/page-data.ts';

/**
 * Renders the home page on the server. Undefined after a failure; then the browser renders it
 * alone.
 */
export type RenderHome = (data: PageData) => Promise<string | undefined>;

type Built = { readonly renderHome: (data: PageData) => Promise<string> };

/**
 * Loads the build of `frontend/src/render-home.tsx`.
 * @param root the folder of the built front end
 */
export function loadRenderHome(root: string, onFailed: (error: unknown) => void): RenderHome {
  const { renderHome } = requireBuilt(join(root, 'server/render-home.cjs'));
  const render = async (data: PageData) => {
    try {
      return await renderHome(data);
    } catch (error) {
      onFailed(error);
      return undefined;
    }
  };
  return onceFor(render);
}

function requireBuilt(path: string): Built {
  try {
    return createRequire(import.meta.url)(path) as Built;
  } catch (cause) {
    throw new Error('The front end is not built yet: run "npm run build" first.', { cause });
  }
}

/** Caches the markup until the data change. */
function onceFor(render: RenderHome): RenderHome {
  let last: { readonly from: string; readonly markup: Promise<string | undefined> } | undefined;
  return (data) => {
    const from = JSON.stringify(data);
    if (last?.from !== from) last = { from, markup: render(data) };
    return last.markup;
  };
}

/** Whether the browser loads the page into a frame, where only the form is shown. */
export function isForFrame(destination: string | undefined): boolean {
  return ['iframe', 'frame', 'embed', 'object'].includes(destination ?? '');
}

/**
 * Puts the markup into the page. The scripts get a low priority, so that the styles load first.
 */
export function withMarkup(page: string, markup: string | undefined): string {
  if (markup === undefined) return page;
  return page
    .replaceAll(/<link rel="modulepreload"|<script type="module"/g, '$& fetchpriority="low"')
    .replace('<div id="root">', () => `<div id="root" data-drawn>${markup}`);
}
