import type { Job } from './background/job.ts';
import type { Sql } from './database/database.ts';
import type { ProvenSession, SecurityOf } from './http/proven.ts';
import type { Guard, OpenName, Serve } from './http/serve.ts';
import type { PaymentGuard } from './http/throttle/payment-guard.ts';
import type { Throttles } from './http/throttle/throttle.ts';
import type { JobRules } from './ledger/jobs.ts';
import type { Letters } from './mail/compose.ts';
import type { AttentionSource } from './queries/read-all-attention.ts';
import type { Check } from './runtime/diagnosis.ts';

/**
 * What an optional room adds to the server. Its `room.ts` makes it, and `start/main.ts` lists it. The core calls it
 * without knowing the room.
 */
export type Room = {
  /** Its calls of the back office. */
  readonly serve?: (office: Office) => void;
  /** Its calls of customers. */
  readonly serveShop?: (shop: ShopGround) => void;
  readonly jobs?: readonly Job[];
  /** Heartbeats of work that a job of the core does. */
  readonly heartbeats?: readonly JobRules[];
  readonly letters?: Letters;
  /** For people who may read the books, and for the daily mail. */
  readonly attention?: AttentionSource;
  readonly gauges?: readonly RoomGauge[];
  /** At the start of the server. They only log. */
  readonly checks?: readonly Check[];
};

/** What the calls of a room get. */
export type Office = {
  readonly serve: Serve;
  readonly guard: Guard<ProvenSession>;
  readonly securityOf: SecurityOf;
  readonly throttles: Throttles;
  readonly shopUrl: string;
  /** For long reads, which must never delay a payment. */
  readonly exporting: Sql;
  /** A file is cut off after so long without a reader. */
  readonly stalledAfterMs: number;
};

export type ShopGround = {
  readonly serve: Serve<OpenName>;
  readonly throttles: Throttles;
  readonly guard: PaymentGuard;
};

export type RoomGauge = {
  readonly clear: () => void;
  /** Sets the gauge. Without an answer in time it has no value. */
  readonly read: () => Promise<void>;
};

export function attentionOf(rooms: readonly Room[]): readonly AttentionSource[] {
  return rooms.flatMap(({ attention }) => attention ?? []);
}
