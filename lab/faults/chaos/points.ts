import type { OrderEvent } from '@kilim/domain/order/events';
import type { CardProcessor } from '../../../bff/src/square/card-processor.ts';

/** A point in a server where a fault can happen: before or after each call to Square and each append. */
export type FaultPoint = `${'before' | 'after'} ${PointName}`;
/** The type of an append's last event names the append. */
export type PointName = keyof CardProcessor | `append ${OrderEvent['type']}`;

/**
 * `die`: the process ends, as after `kill -9`. `lose` before a call: the call is not made. `lose`
 * after a call: its answer is lost. `hold`: the process waits there until it is released.
 */
export type Act = 'die' | 'lose' | 'hold';

/** A message to a server: what the next passing of a point causes, or how far its clock is ahead. */
export type Order =
  | { readonly type: 'arm'; readonly point: FaultPoint; readonly act: Act; readonly times: number }
  | { readonly type: 'disarm' }
  | { readonly type: 'release' }
  | { readonly type: 'clock'; readonly secondsAhead: number };

/** An order with a number, which the server's confirmation repeats. */
export type NumberedOrder = Order & { readonly number: number };

/** A message from a server. */
export type Report =
  | { readonly type: 'obeyed'; readonly number: number }
  | { readonly type: 'reached'; readonly point: FaultPoint };

/** The changes that a server under test is started with. */
export type Changes = {
  /** How many times shorter the intervals of background work are; 0 disables background work. */
  readonly hurry: number;
  readonly squareTimeoutSeconds: number;
  /** How far the clock of the server's machine is ahead. */
  readonly clockAheadSeconds: number;
  readonly sabotage?: Sabotage;
};

/** A safeguard that is removed, to prove that the tests notice its loss. */
export type Sabotage = 'fresh-key-per-try' | 'timeout-is-failure' | 'only-completed-refunds-count';

export const usualChanges: Changes = { hurry: 20, squareTimeoutSeconds: 1, clockAheadSeconds: 0 };

/** The environment variable that carries the changes to the loader. The server does not know it. */
export const changesVariable = 'KILIM_CHAOS_CHANGES';
