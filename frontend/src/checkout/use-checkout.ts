import { useNavigate, useRouter } from '@tanstack/react-router';
import { useMachine } from '@xstate/react';
import { useEffect } from 'react';
import type { ActorRefFrom } from 'xstate';
import { whenFramed } from '../embed/in-frame.ts';
import { localStore } from '../shared/storage.ts';
import { dismissToast, showToast } from '../shared/toast/toast-store.ts';
import { saveOrder } from './checkout-calls.ts';
import { browserCheckout } from './checkout-effects.ts';
import type { CheckoutContext, CheckoutInput, checkoutMachine } from './checkout-machine.ts';
import { watchAttempts } from './remembered-attempt.ts';
import { checkoutTexts } from './texts.ts';

/** Runs the checkout for as long as the page is shown. */
export function useCheckout(input: CheckoutInput) {
  const [state, send, checkout] = useMachine(browserCheckout, { input });
  useStayWhileCharging(checkout);
  useAskAgainWhenBack(checkout);
  useAttemptsElsewhere(checkout);
  const navigate = useNavigate();

  const { context } = state;
  const isPaid = state.matches({ payment: 'paid' });
  useEffect(() => {
    if (!isPaid || context.paymentId === undefined) return;
    dismissToast();
    const orderId = context.attempt?.orderId;
    if (orderId !== undefined) whenFramed(({ announceOrder }) => announceOrder(orderId));
    const order = paidOrder(context);
    if (order !== undefined) {
      localStore.remove('rugFormState');
      void saveOrder(order, context.paymentId);
    }
    const amount = order === undefined ? {} : { amount: order.totalAmount };
    void navigate({ to: '/payment-success', search: { payment_id: context.paymentId, ...amount }, replace: true });
  }, [isPaid, context, navigate]);

  // Only an earlier attempt was left to confirm, and it charged nothing: there is no order to go on
  // with.
  const isOrderless = context.order === undefined && state.matches({ payment: 'ready' });
  useEffect(() => {
    if (!isOrderless) return;
    showToast({ title: checkoutTexts.nothingChargedTitle, description: checkoutTexts.noOrder });
    void navigate({ to: '/', replace: true });
  }, [isOrderless, navigate]);

  return { state, send };
}

/**
 * The order on the screen, unless what was paid turned out to be an earlier one: then the new order
 * is still to be paid.
 */
function paidOrder({ order, attempt }: CheckoutContext) {
  return order?.orderId === attempt?.orderId ? order : undefined;
}

type Checkout = ActorRefFrom<typeof checkoutMachine>;

/**
 * While the request is out, leaving would hide its outcome. Later, when it is unsure, a return
 * finds it again.
 */
function useStayWhileCharging(checkout: Checkout): void {
  const { history } = useRouter();
  useEffect(() => {
    const isCharging = () => checkout.getSnapshot().matches({ payment: { sent: 'charging' } });
    const blockerFn = () => {
      if (isCharging()) showToast({ title: checkoutTexts.stayOnPage, description: checkoutTexts.stayOnPageHint });
      return isCharging();
    };
    // The router's own `useBlocker` also knows how to ask first, which is never wanted here.
    return history.block({ blockerFn, enableBeforeUnload: isCharging });
  }, [history, checkout]);
}

/** A connection or a tab that comes back is the moment to ask, not ten seconds later. */
function useAskAgainWhenBack(checkout: Checkout): void {
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

/**
 * While another tab pays this order, this one waits for the outcome with it instead of offering to
 * pay a second time.
 */
function useAttemptsElsewhere(checkout: Checkout): void {
  useEffect(() => watchAttempts((attempt) => checkout.send({ type: 'attempt.begunElsewhere', attempt })), [checkout]);
}
