import { basename } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { embedScript } from './build-steps/embed-script.ts';
import { listModules } from './build-steps/list-modules.ts';
import { officePages } from './build-steps/office-pages.ts';
import { precompress } from './build-steps/precompress.ts';
import { serverRenderer } from './build-steps/server-renderer.ts';
import { startScript } from './build-steps/start-script.ts';

/** One chunk of every customer page's modules compresses better and stays cached when pages change. */
const coreModules = [
  /node_modules\/(react|react-dom|scheduler|use-sync-external-store)\//,
  /node_modules\/@tanstack\/(router-core|react-router|history|store|react-store)\/(?!dist\/esm\/useBlocker\.)/,
  /rolldown\/runtime/,
  /bff\/contract\/rug\.ts$/,
  /domain\/src\/(catalog|money|order\/ids|result|rug|unreachable)\.ts$/,
  /frontend\/src\/(embed\/in-frame|shared\/(?!queries|address-text|order-number|priced-order|wire|api-client|stored-order|fetch-page-data|offer|toast\/(?!toast-store|toaster)|ui\/(error-summary|text-field|load-failed|feature-list))|checkout\/checkout-loading|root-route|router|shop-routes)/,
];

/** The first step and the iframe code share one chunk, which compresses better than two. */
const rugModules =
  /frontend\/src\/(home|order-form)\/(?!home-page|cart-(details|rugs)|contact-section|delivery-options|express-offer|pickup-|size-text|stored-draft|request-quote)|compare-tiers\/(compare-tiers|opening-texts)|shared\/offer\.|domain\/src\/rates\./;

export default defineConfig({
  plugins: [react(), officePages(), startScript(), embedScript(), listModules(), serverRenderer(), precompress()],
  css: {
    // Class names without hashes compress well. File names are unique.
    modules: { generateScopedName: (name, file) => `${basename(file, '.module.css')}_${name}` },
  },
  // The shim is for older versions of React, which lack the hook.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim$/, replacement: 'react' }] },
  build: {
    outDir: '../build/frontend',
    emptyOutDir: true,
    // For the server's preloads and the budget check.
    manifest: true,
    sourcemap: false,
    // Inlined fonts and images cannot be cached or preloaded separately.
    assetsInlineLimit: 0,
    // Preloading is optional, so it needs no polyfill.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: 'index.html', office: 'office.html' },
      output: {
        codeSplitting: {
          groups: [
            { name: 'core', test: (id) => coreModules.some((pattern) => pattern.test(id)) },
            { name: 'checked', test: /node_modules\/zod\/|shared\/(api-client|stored-order)\./ },
            { name: 'xstate', test: /node_modules\/(@?xstate)\// },
            { name: 'rugs', test: rugModules },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api/admin': 'http://127.0.0.1:8081', '/api': 'http://127.0.0.1:8080' } },
});
