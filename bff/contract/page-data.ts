import type { ConfigAnswer } from './config.ts';
import type { SettingsAnswer } from './settings.ts';

/** The data in a page's `<script id="kilim">`, so that no request delays the first paint. */
export type PageData = { readonly config: ConfigAnswer; readonly settings: SettingsAnswer };
