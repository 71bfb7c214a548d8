import type { OrderEvent } from '@kilim/domain/order/events';
import type { CardProcessor } from '../../../bff/src/core/square/card-processor.ts';

/** Before or after each call to Square and each append. */
export type FaultPoint = `${'before' | 'after'} ${PointName}`;
/** The type of an append's last event names it. */
export type PointName = keyof CardProcessor | `append ${OrderEvent['type']}`;

/**
 * `die`: as after `kill -9`. `lose`: the call is not made, or its answer is lost. `hold`: waits until it is released.
 */
export type Act = 'die' | 'lose' | 'hold';

/** For the next passing of a point, or the clock. */
export type Order =
  | { readonly type: 'arm'; readonly point: FaultPoint; readonly act: Act; readonly times: number }
  | { readonly type: 'disarm' }
  | { readonly type: 'release' }
  | { readonly type: 'clock'; readonly secondsAhead: number };

/** The confirmation repeats the number. */
export type NumberedOrder = Order & { readonly number: number };

export type Report =
  | { readonly type: 'obeyed'; readonly number: number }
  | { readonly type: 'reached'; readonly point: FaultPoint };

/** The server under test is started with these. */
export type Changes = {
  /** Shortens the intervals of background work; 0 disables it. */
  readonly hurry: number;
  readonly squareTimeoutSeconds: number;
  readonly clockAheadSeconds: number;
  readonly sabotage?: Sabotage;
};

/** A removed safeguard, to prove that the tests notice its loss. */
export type Sabotage = 'fresh-key-per-try' | 'timeout-is-failure' | 'only-completed-refunds-count';

export const usualChanges: Changes = { hurry: 20, squareTimeoutSeconds: 1, clockAheadSeconds: 0 };

/** Carries the changes to the loader. The server does not know it. */
export const changesVariable = 'KILIM_CHAOS_CHANGES';
