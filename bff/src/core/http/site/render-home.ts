import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { PageData } from '../../../../contract/page-data.ts';
import type { RenderOffice } from './office-pages.ts';

/** Undefined after a failure: then the browser renders the page. */
export type RenderHome = (data: PageData, size: string) => Promise<string | undefined>;

type Built = RenderOffice & { readonly renderHome: (data: PageData, size: string) => Promise<string> };

/** Loads the build of `frontend/src/office/render-pages.tsx`. */
export function loadRenderers(
  root: string,
  onFailed: (error: unknown) => void,
): { readonly renderHome: RenderHome; readonly renderOffice: RenderOffice } {
  const { renderHome, ...renderOffice } = requireBuilt(join(root, 'server/render-pages.cjs'));
  const render: RenderHome = async (data, size) => {
    try {
      return await renderHome(data, size);
    } catch (error) {
      onFailed(error);
      return undefined;
    }
  };
  return { renderHome: onceFor(render), renderOffice };
}

function requireBuilt(path: string): Built {
  try {
    return createRequire(import.meta.url)(path) as Built;
  } catch (cause) {
    throw new Error('The front end is not built yet: run "npm run build" first.', { cause });
  }
}

/** Caches the markup of each size until the data change. */
function onceFor(render: RenderHome): RenderHome {
  let from = '';
  const markups = new Map<string, Promise<string | undefined>>();
  return (data, size) => {
    const now = JSON.stringify(data);
    if (now !== from) markups.clear();
    from = now;
    const markup = markups.get(size) ?? render(data, size);
    markups.set(size, markup);
    return markup;
  };
}

export function isForFrame(destination: string | undefined): boolean {
  return ['iframe', 'frame', 'embed', 'object'].includes(destination ?? '');
}

/** With this mark the style sheets keep a form in a frame light, like the page around it. */
export function withFrameMark(page: string): string {
  return page.replace('<html', '<html data-framed');
}

const scriptsAndStyles =
  /<link rel="modulepreload"[^>]*>|<script type="module"[^>]*><\/script>|<link rel="stylesheet"[^>]*href="\/([^"]+)"[^>]*>/g;

/**
 * The first paint waits for one answer only. The scripts wait in a template until `frontend/src/start-page.js` loads
 * them after the first paint. The links to the styles wait there too: Vite looks for them before it loads a chunk's
 * styles.
 */
export function paintedFirst(page: string, read: (file: string) => string): string {
  const waiting: string[] = [];
  const painted = page.replaceAll(scriptsAndStyles, (element, file: string | undefined) => {
    waiting.push(file === undefined ? element : element.replace('>', ' media="print">'));
    return file === undefined ? '' : `<style>${read(file)}</style>`;
  });
  return painted.replace(
    '<div id="root">',
    () => `<template id="scripts">${waiting.join('')}</template><div id="root">`,
  );
}
