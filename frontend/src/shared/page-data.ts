import { getRouteApi } from '@tanstack/react-router';
import { type Config, configOf } from './config.ts';
import { parseJson } from './parse-json.ts';
import { fieldsOf, type Settings, settingsOf } from './settings.ts';

/** Of every customer page; the root route loads it once. */
export type PageData = { readonly config: Config; readonly settings: Settings };

const root = getRouteApi('__root__');

export function usePageData(): PageData {
  return root.useLoaderData();
}

/** Inlined by the server, so that no request delays the first paint; fetched if none is valid (vite dev). */
export async function loadPageData(): Promise<PageData> {
  const inlined = pageDataOf(parseJson(document.getElementById('kilim')?.textContent));
  if (inlined !== undefined) return inlined;
  const { fetchPageData } = await import('./fetch-page-data.ts');
  return fetchPageData();
}

/** Undefined if the configuration is invalid. */
export function pageDataOf(given: unknown): PageData | undefined {
  const { config: givenConfig, settings } = fieldsOf(given);
  const config = configOf(givenConfig);
  return config === undefined ? undefined : { config, settings: settingsOf(settings) };
}
