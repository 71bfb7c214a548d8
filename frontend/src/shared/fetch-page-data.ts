import * as z from 'zod/mini';
import { load } from './api-client.ts';
import { call } from './call.ts';
import { type Config, configOf } from './config.ts';
import { type Settings, settingsOf } from './settings.ts';

const configSchema = z.custom<Config>((value) => configOf(value) !== undefined);

/** For a page without inlined data (vite dev). */
export async function fetchPageData(): Promise<{ readonly config: Config; readonly settings: Settings }> {
  const [config, settings] = await Promise.all([
    load({ ...call('GET /api/config', { answer: z.unknown() }), schema: configSchema }),
    load(call('GET /api/settings', { answer: z.unknown() })),
  ]);
  return { config, settings: settingsOf(settings) };
}
