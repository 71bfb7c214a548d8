import type { Faults } from './faults.ts';
import type { Store } from './store.ts';

/** What every part of the local Square works with. */
export type World = {
  readonly identity: Identity;
  readonly store: Store;
  readonly faults: Faults;
  readonly clock: Clock;
  /** Changeable while it runs. */
  readonly settings: Settings;
  /** The address it is reached at, for links in answers. */
  readonly address: () => string;
};

export type Identity = { readonly accessToken: string; readonly locationId: string; readonly applicationId: string };

export type Settings = {
  /** How long a refund stays PENDING. */
  refundSettlesAfterMs: number;
  /** How long a payment with the card `pending` stays undecided. */
  approvesAfterMs: number;
  webhookDelayMs: number;
  /** How long money waits before it is paid out with all that came meanwhile. 0: it waits until somebody asks. */
  payoutAfterMs: number;
  /** How long a payout is on its way to the bank. */
  payoutArrivesAfterMs: number;
  /** Real retry gaps are minutes to hours; they are multiplied by this. */
  webhookRetryScale: number;
  /** Lists leave out what is younger, as Square's do for some seconds. */
  listLagMs: number;
  /** Nobody has documented what Square does here; a caller must bear both. */
  cancelByKeyOfCompleted: 'ignore' | 'refuse';
};

export const defaultSettings: Settings = {
  refundSettlesAfterMs: 1500,
  approvesAfterMs: 1500,
  webhookDelayMs: 20,
  payoutAfterMs: 24 * 60 * 60 * 1000,
  payoutArrivesAfterMs: 1500,
  webhookRetryScale: 1 / 6000,
  listLagMs: 0,
  cancelByKeyOfCompleted: 'ignore',
};

export type Clock = { readonly now: () => Date; readonly advance: (ms: number) => void; readonly reset: () => void };

/** The machine's clock, which tests can put forward. */
export function createClock(): Clock {
  let aheadMs = 0;
  return {
    now: () => new Date(Date.now() + aheadMs),
    advance: (ms) => {
      aheadMs += ms;
    },
    reset: () => {
      aheadMs = 0;
    },
  };
}
