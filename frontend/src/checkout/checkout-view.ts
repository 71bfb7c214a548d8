import type { SnapshotFrom } from 'xstate';
import type { CheckoutEvent, checkoutMachine } from './checkout-machine.ts';

/** The props of the checkout's components: the machine's state and its `send`. */
export type CheckoutView = {
  readonly state: SnapshotFrom<typeof checkoutMachine>;
  readonly send: (event: CheckoutEvent) => void;
};
