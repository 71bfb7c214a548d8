import { toDollars } from '@kilim/domain/money';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useMachine } from '@xstate/react';
import { useEffect, useRef } from 'react';
import type { ActorRefFrom } from 'xstate';
import { whenFramed } from '../embed/in-frame.ts';
import { dismissToast, showToast } from '../shared/toast/toast-store.ts';
import { saveOrder } from './checkout-calls.ts';
import type { browserCheckout } from './checkout-effects.ts';
import type { CheckoutContext, CheckoutInput, checkoutMachine } from './checkout-machine.ts';
import { clearDraftOf, timeOfDraft } from './ordered-draft.ts';
import { watchAttempts } from './remembered-attempt.ts';
import { checkoutTexts } from './texts.ts';

export function useCheckout(machine: typeof browserCheckout, input: CheckoutInput) {
  const [state, send, checkout] = useMachine(machine, { input });
  useBlockLeavingWhileCharging(checkout);
  useLookUpOnReturn(checkout);
  useAttemptsOfOtherTabs(checkout);
  usePreloadedReceipt(!state.matches({ card: 'loadingCard' }));
  const navigate = useNavigate();

  const draft = useRef<unknown>(undefined);
  // Not while rendering: the form that is left saves its last change later.
  useEffect(() => {
    draft.current = timeOfDraft();
  }, []);

  const { context } = state;
  const isPaid = state.matches({ payment: 'paid' });
  useEffect(() => {
    if (!isPaid || context.paymentId === undefined) return;
    dismissToast();
    const orderId = context.attempt?.orderId;
    if (orderId !== undefined) whenFramed(({ announceOrder }) => announceOrder(orderId));
    const order = paidOrder(context);
    if (order !== undefined) {
      clearDraftOf(draft.current);
      void saveOrder(order, context.paymentId);
    }
    const amount = order === undefined ? {} : { amount: toDollars(order.totalAmount) };
    void navigate({ to: '/payment-success', search: { payment_id: context.paymentId, ...amount }, replace: true });
  }, [isPaid, context, navigate]);

  // Only an earlier attempt was to be confirmed, and it charged nothing.
  const isOrderless = context.order === undefined && state.matches({ payment: 'ready' });

  return { state, send, isOrderless };
}

/** Of the cart. Undefined if an earlier order was paid: the shown order is unpaid and must be kept. */
function paidOrder({ order, attempt, isDifference }: CheckoutContext) {
  return order?.orderId === attempt?.orderId && isDifference !== true ? order : undefined;
}

type Checkout = ActorRefFrom<typeof checkoutMachine>;

/** Leaving would hide the outcome. An unknown outcome needs no block, because it is looked up on return. */
function useBlockLeavingWhileCharging(checkout: Checkout): void {
  const { history } = useRouter();
  useEffect(() => {
    const isCharging = () => checkout.getSnapshot().matches({ payment: { sent: 'charging' } });
    const blockerFn = () => {
      if (isCharging()) showToast({ title: checkoutTexts.stayOnPage, description: checkoutTexts.stayOnPageHint });
      return isCharging();
    };
    // `useBlocker` would also contain an unneeded confirmation dialog.
    return history.block({ blockerFn, enableBeforeUnload: isCharging });
  }, [history, checkout]);
}

/** Immediately when the connection or the tab comes back. */
function useLookUpOnReturn(checkout: Checkout): void {
  useEffect(() => {
    const restored = () => checkout.send({ type: 'connection.restored' });
    const shown = () => {
      if (document.visibilityState === 'visible') checkout.send({ type: 'check.pressed' });
    };
    window.addEventListener('online', restored);
    document.addEventListener('visibilitychange', shown);
    return () => {
      window.removeEventListener('online', restored);
      document.removeEventListener('visibilitychange', shown);
    };
  }, [checkout]);
}

/** A connection that is lost after the payment must not take its receipt. The card form comes first. */
function usePreloadedReceipt(isCardSettled: boolean): void {
  const router = useRouter();
  useEffect(() => {
    if (isCardSettled) void router.preloadRoute({ to: '/payment-success' });
  }, [router, isCardSettled]);
}

/** While another tab pays this order, this tab waits for the outcome, so that the customer does not pay twice. */
function useAttemptsOfOtherTabs(checkout: Checkout): void {
  useEffect(() => watchAttempts((attempt) => checkout.send({ type: 'attempt.begunElsewhere', attempt })), [checkout]);
}
