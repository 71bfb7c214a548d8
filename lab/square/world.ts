import type { Faults } from './faults.ts';
import type { Store } from './store.ts';

export type World = {
  readonly identity: Identity;
  readonly store: Store;
  readonly faults: Faults;
  readonly clock: Clock;
  /** Can change while the server runs. */
  readonly settings: Settings;
  readonly address: () => string;
};

export type Identity = { readonly accessToken: string; readonly locationId: string; readonly applicationId: string };

export type Settings = {
  refundSettlesAfterMs: number;
  approvesAfterMs: number;
  webhookDelayMs: number;
  /** 0: until a test asks for a payout. */
  payoutAfterMs: number;
  payoutArrivesAfterMs: number;
  /** The gaps are minutes to hours. */
  webhookRetryScale: number;
  /** Younger items are omitted; Square's lists lag some seconds. */
  listLagMs: number;
  /** Square does not document its behaviour here, so callers must handle both. */
  cancelByKeyOfCompleted: 'ignore' | 'refuse';
  /** See `hostile.ts`. */
  hostile: boolean;
};

/** The switch of whole test suites. */
const hostile = process.env['LOCAL_SQUARE_HOSTILE'] === '1';

export const defaultSettings: Settings = {
  refundSettlesAfterMs: 1500,
  approvesAfterMs: 1500,
  webhookDelayMs: 20,
  payoutAfterMs: 24 * 60 * 60 * 1000,
  payoutArrivesAfterMs: 1500,
  webhookRetryScale: 1 / 6000,
  listLagMs: 0,
  cancelByKeyOfCompleted: 'ignore',
  hostile,
};

export type Clock = { readonly now: () => Date; readonly advance: (ms: number) => void; readonly reset: () => void };

/** Tests can move it forward. */
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
