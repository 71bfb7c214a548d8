import type { ConfigAnswer } from './config.ts';
import type { SettingsAnswer } from './settings.ts';

/** What the server writes into a page, so that no request delays the first paint: `<script id="kilim">`. */
export type PageData = { readonly config: ConfigAnswer; readonly settings: SettingsAnswer };
