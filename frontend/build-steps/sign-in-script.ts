import type { Plugin } from 'vite';
import { buildAlone } from './build-alone.ts';

const entry = 'src/office/sign-in.ts';

/**
 * The office's sign-in page loads this script alone. Built with the office, it would load the chunks that both share.
 * Must run before `precompress`.
 */
export function signInScript(): Plugin {
  let root = '';
  return {
    name: 'kilim:sign-in-script',
    apply: 'build',
    configResolved: (config) => {
      root = config.root;
    },
    async generateBundle() {
      const source = await buildAlone({ root, entry, format: 'es' });
      // The server finds it in Vite's manifest by this name.
      this.emitFile({ type: 'asset', name: 'sign-in.js', originalFileName: entry, source });
    },
  };
}
