import { basename } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { embedScript } from './build-steps/embed-script.ts';
import { listModules } from './build-steps/list-modules.ts';
import { officePages } from './build-steps/office-pages.ts';
import { precompress } from './build-steps/precompress.ts';
import { serverRenderer } from './build-steps/server-renderer.ts';
import { startScript } from './build-steps/start-script.ts';

/**
 * The modules of every customer page. One chunk compresses better and stays cached when pages
 * change.
 */
const coreModules = [
  /node_modules\/(react|react-dom|scheduler|use-sync-external-store)\//,
  /node_modules\/@tanstack\/(router-core|react-router|history|store|react-store)\/(?!dist\/esm\/useBlocker\.)/,
  /rolldown\/runtime/,
  /bff\/contract\/rug\.ts$/,
  /domain\/src\/(catalog|money|order\/ids|rates|result|rug|unreachable)\.ts$/,
  /frontend\/src\/(embed\/in-frame|shared\/(?!queries|address-text|order-number|priced-order|wire|api-client|stored-order|fetch-page-data|offer|toast\/(?!toast-store|toaster)|ui\/(error-summary|text-field|load-failed|feature-list))|checkout\/checkout-loading|root-route|router|shop-routes)/,
];

/**
 * The first step of the order form. The iframe code uses it too, and one chunk compresses better
 * than two.
 */
const rugModules =
  /frontend\/src\/(home|order-form)\/(?!home-page|cart-(details|rugs)|contact-section|delivery-options|express-offer|pickup-|stored-draft|request-quote)|compare-tiers\/(compare-tiers|opening-texts)|shared\/offer\./;

export default defineConfig({
  plugins: [react(), officePages(), startScript(), embedScript(), listModules(), serverRenderer(), precompress()],
  css: {
    // Class names without hashes: repeated names compress well. File names are unique.
    modules: { generateScopedName: (name, file) => `${basename(file, '.module.css')}_${name}` },
  },
  // React has the hook itself. The shim is for older versions of React.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim$/, replacement: 'react' }] },
  build: {
    outDir: '../build/frontend',
    emptyOutDir: true,
    // The server reads from the manifest which chunks to preload. The budget check reads from it
    // which chunks to add up.
    manifest: true,
    sourcemap: false,
    // Fonts and images inlined into a style sheet cannot be cached or preloaded separately.
    assetsInlineLimit: 0,
    // Preloading is optional, so browsers without support need no polyfill.
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
