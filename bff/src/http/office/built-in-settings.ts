import { builtInSettingsFor } from '@kilim/domain/settings/settings';
import { settingsAnswer } from './settings-answer.ts';

/** What anyone may see of the settings before anybody has changed any. */
export const builtInSettings = settingsAnswer(
  builtInSettingsFor({ name: '', phone: '', bookingUrl: '', dropOffSites: [] }),
);
