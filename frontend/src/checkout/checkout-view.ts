import type { SnapshotFrom } from 'xstate';
import type { CheckoutEvent, checkoutMachine } from './checkout-machine.ts';

/** What the parts of the page get: where the checkout stands, and how to tell it something. */
export type CheckoutView = {
  readonly state: SnapshotFrom<typeof checkoutMachine>;
  readonly send: (event: CheckoutEvent) => void;
};
