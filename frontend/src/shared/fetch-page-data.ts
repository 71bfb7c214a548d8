import * as z from 'zod/mini';
import { load } from './api-client.ts';
import { type Config, configOf } from './config.ts';
import type { PageData } from './page-data.ts';
import { settingsOf } from './settings.ts';

const configSchema = z.custom<Config>((value) => configOf(value) !== undefined);

/** The page's data over the network, for a page into which no server wrote them. */
export async function fetchPageData(): Promise<PageData> {
  const [config, settings] = await Promise.all([
    load({ path: '/api/config', schema: configSchema }),
    load({ path: '/api/settings', schema: z.unknown() }),
  ]);
  return { config, settings: settingsOf(settings) };
}
