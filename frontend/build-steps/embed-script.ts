import { join } from 'node:path';
import { build, type Plugin } from 'vite';

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
      const built = await build({
        root,
        configFile: false,
        publicDir: false,
        logLevel: 'warn',
        build: {
          write: false,
          target: 'es2022',
          lib: { entry: join(root, 'src/embed-script/rug-order.ts'), formats: ['iife'], name: 'rugOrder' },
        },
      });
      const [script] = [built].flat().flatMap((bundle) => ('output' in bundle ? bundle.output : []));
      if (script?.type !== 'chunk') throw new Error('The embed script was not built');
      this.emitFile({ type: 'asset', fileName: 'embed.js', source: script.code });
    },
  };
}
