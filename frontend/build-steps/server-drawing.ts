import { join } from 'node:path';
import { build, type Plugin, type ResolvedConfig } from 'vite';

/**
 * Builds what the server draws the home page with: one file for Node, with React's drawing for servers in it, which no browser loads. The
 * server serves `assets` only.
 */
export function serverDrawing(): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'kilim:server-drawing',
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
        // The same names of classes as in the browser.
        css: { modules: css.modules ?? {} },
        resolve: { alias: resolve.alias },
        define: { 'process.env.NODE_ENV': '"production"' },
        ssr: { noExternal: true },
        build: {
          write: false,
          ssr: join(root, 'src/draw-home.tsx'),
          rolldownOptions: { output: { format: 'cjs', codeSplitting: false } },
        },
      });
      const [script] = [built].flat().flatMap((bundle) => ('output' in bundle ? bundle.output : []));
      if (script?.type !== 'chunk') throw new Error('What the server draws with was not built');
      this.emitFile({ type: 'asset', fileName: 'server/draw-home.cjs', source: script.code });
    },
  };
}
