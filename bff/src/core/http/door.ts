import type { Context } from 'hono';
import type { Session } from '../../../contract/session.ts';
import type { ProvenSession, SecurityOf } from './proven.ts';
import type { Guard, Serve } from './serve.ts';
import type { Throttles } from './throttle/throttle.ts';

/** What the back office needs from the room that knows people. */
export type Doorkeeper = {
  /** The calls of people about their own accounts, and of owners about others. */
  readonly serve: (serve: Serve) => void;
  readonly guard: Guard<ProvenSession>;
  /** Of a page that a person opens, which renews it. Undefined without a valid one. */
  readonly sessionOf: (c: Context) => Promise<Session | undefined>;
  readonly securityOf: SecurityOf;
  /** With the second factor if the account has one, else with the password. */
  readonly hasProvenWithin: (session: ProvenSession, seconds: number) => Promise<boolean>;
};

export type OpenDoor = (ground: { readonly throttles: Throttles; readonly officeUrl: string }) => Doorkeeper;
