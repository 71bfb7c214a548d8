import { join } from 'node:path';
import { build, type Plugin, type ResolvedConfig } from 'vite';

/** Renders pages on the server. Browsers cannot load it, because the server serves only `assets`. */
export function serverRenderer(): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'kilim:server-renderer',
    apply: 'build',
    configResolved: (resolved) => {
      config = resolved;
    },
    async generateBundle() {
      const { root, css, resolve } = config;
      const built = await build({
        root,
        configFile: false,
        publicDir: false,
        logLevel: 'error',
        // The class names must equal those in the browser.
        css: { modules: css.modules ?? {} },
        resolve: { alias: resolve.alias },
        define: { 'process.env.NODE_ENV': '"production"' },
        ssr: { noExternal: true },
        build: {
          write: false,
          ssr: join(root, 'src/office/render-pages.tsx'),
          // Node keeps the whole text in memory.
          minify: true,
          rolldownOptions: { output: { format: 'cjs', codeSplitting: false } },
        },
      });
      const [script] = [built].flat().flatMap((bundle) => ('output' in bundle ? bundle.output : []));
      if (script?.type !== 'chunk') throw new Error('The server renderer was not built');
      this.emitFile({ type: 'asset', fileName: 'server/render-pages.cjs', source: script.code });
    },
  };
}
