import type { OrderEvent } from '@kilim/domain/order/events';
import type { CardProcessor } from '../../src/square/card-processor.ts';

/** Where something can be made to happen to a server: on either side of every word with Square and of every append. */
export type FaultPoint = `${'before' | 'after'} ${PointName}`;
/** An append is named by its last event. */
export type PointName = keyof CardProcessor | `append ${OrderEvent['type']}`;

/**
 * `die`: the process ends at once, as by `kill -9`. `lose`: what comes next is not done (before), or was done and nobody hears of it
 * (after). `hold`: the process goes on when it is told to.
 */
export type Act = 'die' | 'lose' | 'hold';

/** To a server: what shall happen to whoever comes by. */
export type Order =
  | { readonly type: 'arm'; readonly point: FaultPoint; readonly act: Act; readonly times: number }
  | { readonly type: 'disarm' }
  | { readonly type: 'release' };

/** An order with the number by which the server confirms it. */
export type NumberedOrder = Order & { readonly number: number };

/** From a server. */
export type Word =
  | { readonly type: 'obeyed'; readonly number: number }
  | { readonly type: 'reached'; readonly point: FaultPoint };

/** What a server is started with, besides its usual configuration. */
export type Changes = {
  /** Background work comes round so many times as often; 0 is a server without any. */
  readonly hurry: number;
  readonly squareTimeoutSeconds: number;
  /** How far this machine's clock is ahead. */
  readonly clockAheadSeconds: number;
  readonly sabotage?: Sabotage;
};

/** A safeguard that is taken away, to see that its loss is noticed. */
export type Sabotage = 'fresh-key-per-try' | 'timeout-is-failure' | 'only-completed-refunds-count';

export const usualChanges: Changes = { hurry: 20, squareTimeoutSeconds: 1, clockAheadSeconds: 0 };

/** The variable that carries the changes to the loader. The server itself does not know it. */
export const changesVariable = 'KILIM_CHAOS_CHANGES';
