import type { Rates } from '@kilim/domain/rates';
import { ratesOn, type Settings, type VersionedSettings } from '@kilim/domain/settings/settings';
import { dayIn } from '../runtime/day-in.ts';
import type { SavedSettings } from './saved-settings.ts';

export type CurrentRates = {
  /** For display, see `SavedSettings`. */
  readonly latest: () => Rates;
  /** For charging: with the version of the settings. */
  readonly current: () => Promise<{
    readonly settingsVersion: number;
    readonly settings: Settings;
    readonly rates: Rates;
  }>;
};

export type ShopClock = { readonly now: () => Date; readonly timeZone: string };

export function currentRates(saved: SavedSettings, { now, timeZone }: ShopClock): CurrentRates {
  const ratesOf = ({ settings }: VersionedSettings) => ratesOn(settings, dayIn(timeZone, now()));
  return {
    latest: () => ratesOf(saved.latest()),
    current: async () => {
      const current = await saved.current();
      return { settingsVersion: current.version, settings: current.settings, rates: ratesOf(current) };
    },
  };
}
