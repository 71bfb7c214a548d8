import type { PriceList } from '@kilim/domain/catalog';
import { getRouteApi } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { load } from './api-client.ts';
import { centsOf, configSchema, type Settings, settingsSchema } from './wire.ts';

const pageDataSchema = z.object({ config: configSchema, settings: settingsSchema });

/** What every customer page needs: the business, the prices, the card provider. The root route loads it once. */
export type PageData = z.infer<typeof pageDataSchema>;

const root = getRouteApi('__root__');

export function usePageData(): PageData {
  return root.useLoaderData();
}

/** Takes what the server wrote into the page, so that no request delays the first paint; asks for it when there is nothing (vite dev). */
export async function loadPageData(): Promise<PageData> {
  const inlined = inlinedPageData(document);
  if (inlined !== undefined) return inlined;
  const [config, settings] = await Promise.all([
    load({ path: '/api/config', schema: configSchema }),
    load({ path: '/api/settings', schema: settingsSchema }),
  ]);
  return { config, settings };
}

/** Reads `<script type="application/json" id="kilim">`; undefined when there is none or it cannot be trusted. */
function inlinedPageData(page: Document): PageData | undefined {
  const text = page.getElementById('kilim')?.textContent;
  if (text === undefined || text === null) return undefined;
  try {
    const parsed = pageDataSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** Today's prices in cents, as the domain's pricing takes them. */
export function priceListOf(settings: Settings): PriceList {
  const { premium, midrange, economy } = settings.tierPrices;
  return { premium: centsOf(premium), midrange: centsOf(midrange), economy: centsOf(economy) };
}
