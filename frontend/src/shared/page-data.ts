import { getRouteApi } from '@tanstack/react-router';
import { type Config, configOf } from './config.ts';
import { type Settings, settingsOf } from './settings.ts';

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
    const given = JSON.parse(text) as { readonly config?: unknown; readonly settings?: unknown } | null;
    const config = configOf(given?.config);
    return config === undefined ? undefined : { config, settings: settingsOf(given?.settings) };
  } catch {
    return undefined;
  }
}
