import { basename } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Rolldown } from 'vite';
import { embedScript } from './build-steps/embed-script.ts';
import { listModules } from './build-steps/list-modules.ts';
import { officePages } from './build-steps/office-pages.ts';
import { precompress } from './build-steps/precompress.ts';
import { serverRenderer } from './build-steps/server-renderer.ts';
import { signInScript } from './build-steps/sign-in-script.ts';
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
  /frontend\/src\/(home|order-form)\/(?!home-page|cart-(details|rugs|texts)|contact-section|delivery-options|express-offer|pickup-|size-text|stored-draft|request-quote)|compare-tiers\/(compare-tiers|opening-texts)|shared\/offer\.|domain\/src\/rates\./;

const pricedOrderModules = /frontend\/src\/(shared\/priced-order\/|checkout\/texts\.)/;

/** Of the receipt and the office. */
const queryModules =
  /node_modules\/@tanstack\/(query-core|react-query)\/|shared\/(queries|order-number|address-text)\.|bff\/contract\/receipt\.|domain\/src\/(order\/number|format-phone|projection\/order-summary)\./;

type Modules = { readonly getModuleInfo: (id: string) => Rolldown.ModuleInfo | null };

/** What several pages of the office load, and no page of the shop. */
function officeChunk(id: string, modules: Modules): string | null {
  // The settings import parts that pages of the shop load later.
  if (canShopLoad(id, modules) || /bff\/contract\/settings\.|office\/shared\/settings\//.test(id)) return null;
  return 'office-pages';
}

function canShopLoad(id: string, modules: Modules): boolean {
  const reached = new Set([id]);
  // The loop also visits what it adds.
  for (const each of reached) {
    const { importers = [], dynamicImporters = [] } = modules.getModuleInfo(each) ?? {};
    for (const importer of [...importers, ...dynamicImporters]) reached.add(importer);
  }
  return [...reached].some((each) => each.endsWith('frontend/index.html'));
}

export default defineConfig({
  plugins: [
    react(),
    officePages(),
    startScript(),
    embedScript(),
    signInScript(),
    listModules(),
    serverRenderer(),
    precompress(),
  ],
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
            // Of the checkout and the receipt; then what only the checkout needs.
            { name: 'priced-order', test: pricedOrderModules },
            { name: 'checkout', test: /frontend\/src\/(checkout\/square-card|embed\/checkout-place)\./ },
            { name: 'queries', test: queryModules },
            {
              name: 'pickup-plan',
              test: /bff\/contract\/(ids|days|pickup-plan)\.|domain\/src\/(pickup-plan|format-day)\./,
            },
            // So that few requests open a page of the office.
            { name: officeChunk, debugName: 'office', minShareCount: 2, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api/admin': 'http://127.0.0.1:8081', '/api': 'http://127.0.0.1:8080' } },
});
