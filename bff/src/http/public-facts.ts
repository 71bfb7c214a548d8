import { Hono } from 'hono';
import type { ConfigAnswer, SettingsAnswer } from './wire.ts';

/** What anyone may know: how to pay here, who the business is, and what it offers. */
export type PublicFacts = { readonly config: ConfigAnswer; readonly settings: () => SettingsAnswer };

export function publicFacts({ config, settings }: PublicFacts) {
  return new Hono().get('/config', (c) => c.json(config)).get('/settings', (c) => c.json(settings()));
}
