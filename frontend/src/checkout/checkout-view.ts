import type { SnapshotFrom } from 'xstate';
import type { CheckoutEvent, checkoutMachine } from './checkout-machine.ts';

export type CheckoutView = {
  readonly state: SnapshotFrom<typeof checkoutMachine>;
  readonly send: (event: CheckoutEvent) => void;
};
