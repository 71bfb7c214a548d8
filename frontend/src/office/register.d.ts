import type { ReimbursementMethod } from '@kilim/domain/order/events';
import type { makeRouter } from '../router.ts';
import type { officePages } from './shared/routes.ts';

// A declaration file, because every project of the office includes it and each would emit a `.ts` file.
declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter<typeof officePages>>;
  }
  interface HistoryState {
    /** The history's entry before this one is the list of orders. */
    readonly isFromOrders?: true;
    /** The customer got the money so, and the page asks for the rest. */
    readonly paidBy?: ReimbursementMethod;
  }
}
