import { builtInRates } from '@kilim/domain/rates';
import { builtInSettingsFor } from '@kilim/domain/settings/settings';
import { settingsAnswer } from './settings-answer.ts';

/** The public settings before the first change. */
export const builtInSettings = settingsAnswer(
  builtInSettingsFor({ name: '', phone: '', bookingUrl: '', dropOffSites: [] }),
  builtInRates.salesTax.since,
);
