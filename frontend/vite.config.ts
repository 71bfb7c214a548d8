import { basename } from 'node:path';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { embedScript } from './build-steps/embed-script.ts';
import { listModules } from './build-steps/list-modules.ts';
import { precompress } from './build-steps/precompress.ts';
import { serverDrawing } from './build-steps/server-drawing.ts';

/** What every customer page needs. As one chunk it compresses better, and it stays in the cache while pages change. */
const coreModules = [
  /node_modules\/(react|react-dom|scheduler|use-sync-external-store)\//,
  /node_modules\/@tanstack\/(router-core|react-router|history|store|react-store)\/(?!dist\/esm\/useBlocker\.)/,
  /rolldown\/runtime/,
  /domain\/src\/(?!tier-comparison|contact|order\/refund|settings\/|admin\/|projection\/)/,
  /frontend\/src\/(embed\/in-frame|shared\/(?!queries|query-client|priced-order|wire|api-client|load-current-order|fetch-page-data|toast\/(?!toast-store|toaster)|ui\/error-summary)|checkout\/checkout-loading|not-found\/|router|routeTree|routes\/[\w.$]+\.tsx$)/,
];

/** The first step of the order form, which the frame's script shares: one chunk compresses better than two. */
const rugModules =
  /frontend\/src\/(home|order-form)\/(?!cart-details|contact-section|delivery-options|stored-draft|request-quote)|compare-tiers\/(compare-tiers|opening-texts)/;

export default defineConfig({
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      // What a page shows while it loads would otherwise come with the first load of every other page.
      codeSplittingOptions: {
        defaultBehavior: [['component'], ['pendingComponent'], ['errorComponent'], ['notFoundComponent']],
      },
      quoteStyle: 'single',
      routesDirectory: './src/routes',
      generatedRouteTree: './src/routeTree.gen.ts',
    }),
    react(),
    embedScript(),
    listModules(),
    serverDrawing(),
    precompress(),
  ],
  css: {
    // Every class is named after its file and nothing else: names that repeat compress to almost nothing.
    modules: { generateScopedName: (name, file) => `${basename(file, '.module.css')}_${name}` },
  },
  // React's own: what the shim adds is for older ones.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim$/, replacement: 'react' }] },
  build: {
    outDir: '../build/frontend',
    emptyOutDir: true,
    // The server preloads a page's chunks, and the budget adds them up, from this manifest.
    manifest: true,
    sourcemap: false,
    // A font or an image inside the style sheet could be neither cached nor preloaded on its own.
    assetsInlineLimit: 0,
    // Browsers that cannot preload modules do well without.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'core', test: (id) => coreModules.some((pattern) => pattern.test(id)) },
            { name: 'checked', test: /node_modules\/zod\/|shared\/(wire|api-client|load-current-order)\./ },
            { name: 'xstate', test: /node_modules\/(@?xstate)\// },
            { name: 'rugs', test: rugModules },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
});
