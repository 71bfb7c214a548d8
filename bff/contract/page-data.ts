import type { ConfigAnswer } from './config.ts';
import type { SettingsAnswer } from './settings.ts';

/** Inside the page, so that no request delays the first paint. */
export type PageData = { readonly config: ConfigAnswer; readonly settings: SettingsAnswer };
