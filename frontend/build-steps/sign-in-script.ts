import { join } from 'node:path';
import { build, type Plugin, type ResolvedConfig } from 'vite';

const entry = 'src/office/sign-in.ts';

/**
 * The office's sign-in page loads this script alone. Built with the office, it would load the chunks that both share.
 * Must run before `precompress`.
 */
export function signInScript(): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'kilim:sign-in-script',
    apply: 'build',
    configResolved: (resolved) => {
      config = resolved;
    },
    async generateBundle() {
      const { root } = config;
      const built = await build({
        root,
        configFile: false,
        publicDir: false,
        logLevel: 'warn',
        build: {
          write: false,
          target: 'es2022',
          lib: { entry: join(root, entry), formats: ['es'], fileName: 'sign-in' },
        },
      });
      const [script] = [built].flat().flatMap((bundle) => ('output' in bundle ? bundle.output : []));
      if (script?.type !== 'chunk') throw new Error('The sign-in script was not built');
      // The server finds it in Vite's manifest by this name.
      this.emitFile({ type: 'asset', name: 'sign-in.js', originalFileName: entry, source: script.code });
    },
  };
}
