import * as z from 'zod/mini';
import { type ConfigAnswer, config as configAnswer } from '../../../../contract/config.ts';
import type { SettingsAnswer } from '../../../../contract/settings.ts';
import type { SavedSettings } from '../../queries/saved-settings.ts';
import { dayIn } from '../../runtime/day-in.ts';
import { settingsAnswer } from '../office/settings-answer.ts';
import type { OpenName, Serve } from '../serve.ts';

export type PublicFacts = {
  readonly config: ConfigAnswer;
  readonly currentConfig: () => ConfigAnswer;
  readonly settings: () => SettingsAnswer;
};

export function factsOf(configured: ConfigAnswer, saved: SavedSettings, now: () => Date): PublicFacts {
  // Drops everything that the contract does not name.
  const config = z.encode(configAnswer, configured);
  return {
    config,
    currentConfig: () => ({ ...config, business: { ...config.business, ...saved.latest().settings.business } }),
    settings: () => settingsAnswer(saved.latest(), dayIn(config.business.timeZone, now())),
  };
}

export function servePublicFacts(serve: Serve<OpenName>, { currentConfig, settings }: PublicFacts): void {
  serve('GET /api/config', (c) => c.json(currentConfig()));
  serve('GET /api/settings', (c) => c.json(settings()));
}
