import type { Plugin } from 'vite';
import { buildAlone } from './build-alone.ts';

/**
 * Other sites load `embed.js` by that name: one classic script without imports or a hash. Must run before
 * `precompress`, which compresses it too.
 */
export function embedScript(): Plugin {
  let root = '';
  return {
    name: 'kilim:embed-script',
    apply: 'build',
    configResolved: (config) => {
      root = config.root;
    },
    async generateBundle() {
      const source = await buildAlone({
        root,
        entry: 'src/embed-script/rug-order.ts',
        format: 'iife',
        name: 'rugOrder',
      });
      this.emitFile({ type: 'asset', fileName: 'embed.js', source });
    },
  };
}
