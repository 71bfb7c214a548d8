import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

const source = new URL('../src/start-page.js', import.meta.url);

/** Loads the other scripts, and reloads a page when one could not be loaded. */
export function startScript(): Plugin {
  return {
    name: 'kilim:start-script',
    transformIndexHtml: {
      order: 'pre',
      handler: async (html) => {
        const script = await readFile(source, 'utf8');
        return html.replace('<!--kilim:start-->', () => `<script>${script}</script>`);
      },
    },
  };
}
