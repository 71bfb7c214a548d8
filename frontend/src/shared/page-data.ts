import { getRouteApi } from '@tanstack/react-router';
import { type Config, configOf } from './config.ts';
import { fieldsOf, type Settings, settingsOf } from './settings.ts';

/** What every customer page needs: the business, the prices, the card provider. The root route loads it once. */
export type PageData = { readonly config: Config; readonly settings: Settings };

const root = getRouteApi('__root__');

export function usePageData(): PageData {
  return root.useLoaderData();
}

/** Takes what the server wrote into the page, so that no request delays the first paint; asks for it when there is nothing (vite dev). */
export async function loadPageData(): Promise<PageData> {
  const inlined = inlinedPageData(document);
  if (inlined !== undefined) return inlined;
  const { fetchPageData } = await import('./fetch-page-data.ts');
  return fetchPageData();
}

/** Reads `<script type="application/json" id="kilim">`; undefined when there is none or it cannot be trusted. */
function inlinedPageData(page: Document): PageData | undefined {
  const text = page.getElementById('kilim')?.textContent;
  if (text === undefined || text === null) return undefined;
  try {
    return pageDataOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Reads what the server knows; undefined when it cannot be trusted. */
export function pageDataOf(given: unknown): PageData | undefined {
  const { config: givenConfig, settings } = fieldsOf(given);
  const config = configOf(givenConfig);
  return config === undefined ? undefined : { config, settings: settingsOf(settings) };
}
