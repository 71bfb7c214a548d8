import type { SnapshotFrom } from 'xstate';
import type { CheckoutEvent, checkoutMachine } from './checkout-machine.ts';

/** The machine's state and its `send`. */
export type CheckoutView = {
  readonly state: SnapshotFrom<typeof checkoutMachine>;
  readonly send: (event: CheckoutEvent) => void;
};
