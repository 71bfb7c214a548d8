import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { PageData } from '../shop/wire.ts';

/** Draws the home page as the browser will take it over. Undefined when that failed: the browser then draws it alone. */
export type DrawHome = (data: PageData) => Promise<string | undefined>;

type Built = { readonly renderHome: (data: PageData) => Promise<string> };

/**
 * Loads what `frontend/src/render-home.tsx` was built into.
 * @param root the folder that the front end was built into
 */
export function loadDrawing(root: string, onFailed: (error: unknown) => void): DrawHome {
  const { renderHome } = requireBuilt(join(root, 'server/render-home.cjs'));
  const draw = async (data: PageData) => {
    try {
      return await renderHome(data);
    } catch (error) {
      onFailed(error);
      return undefined;
    }
  };
  return onceFor(draw);
}

function requireBuilt(path: string): Built {
  try {
    return createRequire(import.meta.url)(path) as Built;
  } catch (cause) {
    throw new Error('The front end is not built yet: run "npm run build" first.', { cause });
  }
}

/** What is drawn stays as it is until the settings say something else. */
function onceFor(draw: DrawHome): DrawHome {
  let last: { readonly from: string; readonly drawn: Promise<string | undefined> } | undefined;
  return (data) => {
    const from = JSON.stringify(data);
    if (last?.from !== from) last = { from, drawn: draw(data) };
    return last.drawn;
  };
}

/** Whether the browser says that the page will stand in another page's frame, where the form is all that shows. */
export function isForFrame(destination: string | undefined): boolean {
  return ['iframe', 'frame', 'embed', 'object'].includes(destination ?? '');
}

/** The page with its first sight in the place where the application will be. The scripts may then wait for the styles. */
export function withDrawing(page: string, drawing: string | undefined): string {
  if (drawing === undefined) return page;
  return page
    .replaceAll(/<link rel="modulepreload"|<script type="module"/g, '$& fetchpriority="low"')
    .replace('<div id="root">', () => `<div id="root" data-drawn>${drawing}`);
}
