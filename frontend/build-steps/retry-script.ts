import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

const source = new URL('../src/retry-unloaded.js', import.meta.url);

/** Inlines the script that reloads a page whose scripts or styles could not be loaded. */
export function retryScript(): Plugin {
  return {
    name: 'kilim:retry-script',
    transformIndexHtml: {
      order: 'pre',
      handler: async (html) => {
        const script = await readFile(source, 'utf8');
        return html.replace('<!--kilim:retry-->', () => `<script>${script}</script>`);
      },
    },
  };
}
