import { builtInRates } from '@kilim/domain/rates';
import { builtInSettingsFor } from '@kilim/domain/settings/settings';
import { settingsAnswer } from './settings-answer.ts';

export const builtInSettings = settingsAnswer(
  builtInSettingsFor({ name: '', phone: '', bookingUrl: '', dropOffSites: [] }),
  builtInRates.salesTax.since,
);
