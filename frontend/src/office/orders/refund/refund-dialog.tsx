import type { OrderDetail } from '@kilim/bff/contract/orders';
import { formatDollars } from '@kilim/domain/money';
import { useQueryClient } from '@tanstack/react-query';
import { useMachine } from '@xstate/react';
import { Alert, Button } from 'antd';
import { useEffect, useMemo, useState } from 'react';
import { fromPromise } from 'xstate';
import { showToast } from '../../../shared/toast/toast-store.ts';
import { useOnline } from '../../../shared/use-online.ts';
import { moneyKey } from '../../shared/api/query-keys.ts';
import { PasswordPrompt } from '../../shared/session/password-prompt.tsx';
import { type PasswordCheck, proveAgain } from '../../shared/session/session-calls.ts';
import { useSessionState } from '../../shared/session/use-session-state.ts';
import { Busy } from '../../shared/ui/busy.tsx';
import cards from '../../shared/ui/card.module.css';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { useAskBeforeLeaving } from '../../shared/ui/use-ask-before-leaving.ts';
import { useIsAllowanceSettled, useRefundAllowance } from './refund-allowance.ts';
import { outcomeOf, sendRefund } from './refund-calls.ts';
import { RefundFields } from './refund-fields.tsx';
import { isTouched } from './refund-form.ts';
import {
  type PasswordInput,
  type RefundContext,
  type RefundOutcome,
  refundMachine,
  requestedAmount,
  type SendInput,
} from './refund-machine.ts';
import { refundableOf } from './refundable.ts';
import { forgetRefund, loadOpenRefund, rememberRefund } from './remembered-refund.ts';
import { refundTexts } from './texts.ts';

export type RefundDialogProps = { readonly detail: OrderDetail; readonly onClose: () => void };

/** The limit decides how the form opens. */
export function RefundDialog(props: RefundDialogProps) {
  if (useIsAllowanceSettled()) return <OpenDialog {...props} />;
  return (
    <Dialog title={refundTexts.dialogTitle} place="side" onClose={props.onClose}>
      <Busy text={refundTexts.loading} />
    </Dialog>
  );
}

/** Follows the order, so it never offers what another administrator refunded. */
function OpenDialog({ detail, onClose }: RefundDialogProps) {
  const { state, send } = useRefund(detail, onClose);
  const isLeavable = state.hasTag('leavable');
  const canSend = state.hasTag('editable') && detail.order.refundBlock === null;
  const isUnsent = canSend && isTouched(state.context.form);
  const leave = () => {
    if (!isUnsent || window.confirm(refundTexts.discard)) onClose();
  };
  // Leaving would not undo a sent refund, but hide its outcome.
  useAskBeforeLeaving(isUnsent || !isLeavable, isLeavable ? refundTexts.discard : refundTexts.leaving);
  return (
    <Dialog title={refundTexts.dialogTitle} place="side" onClose={isLeavable ? leave : undefined}>
      {state.matches('reauthenticating') ? (
        <PasswordPrompt
          busy={state.hasTag('busy')}
          problem={state.context.passwordProblem}
          onProve={(proving) => send({ type: 'password.given', proving })}
          onCancel={() => send({ type: 'password.declined' })}
        />
      ) : state.matches('unsure') ? (
        <div className={cards.stack}>
          <Alert
            type="warning"
            role="alert"
            showIcon
            title={refundTexts.unsureTitle}
            description={refundTexts.unsureText}
          />
          <Button loading={state.hasTag('busy')} onClick={() => send({ type: 'ask.pressed' })}>
            {state.hasTag('busy') ? refundTexts.asking : refundTexts.askAgain}
          </Button>
        </div>
      ) : state.matches('pending') ? (
        <Pending detail={detail} context={state.context} onClose={onClose} />
      ) : (
        <RefundFields
          detail={detail}
          context={state.context}
          busy={state.hasTag('busy')}
          onEdit={(edit) => send({ type: 'form.edited', edit })}
          onRefund={() => send({ type: 'refund.pressed' })}
          onCancel={leave}
        />
      )}
    </Dialog>
  );
}

type PendingProps = RefundDialogProps & { readonly context: RefundContext };

/** Square has answered about a refund that has an id of Square's. */
function Pending({ detail, context, onClose }: PendingProps) {
  const amount = formatDollars(requestedAmount(context));
  const isTaken = refundOf(detail, context)?.squareRefundId != null;
  return (
    <div className={cards.stack}>
      <Busy text={isTaken ? refundTexts.pendingTitle(amount) : refundTexts.unconfirmedTitle(amount)} />
      <p>{isTaken ? refundTexts.pendingText : refundTexts.unconfirmedText}</p>
      <Button onClick={onClose}>{refundTexts.close}</Button>
    </div>
  );
}

/** Undefined until the page knows of it. */
function refundOf({ refunds }: OrderDetail, { request }: RefundContext) {
  return refunds.find(({ refundId }) => refundId === request?.idempotencyKey);
}

/** With the server, the session storage and the toasts. */
function useRefund(detail: OrderDetail, onClose: () => void) {
  const { order } = detail;
  const queryClient = useQueryClient();
  const [machine] = useState(() =>
    refundMachine.provide({
      actors: {
        send: fromPromise<RefundOutcome, SendInput>(({ input, signal }) => sendRefund(input.request, signal)),
        checkPassword: fromPromise<PasswordCheck, PasswordInput>(({ input, signal }) =>
          proveAgain(input.proving, signal),
        ),
      },
      actions: {
        announce: (_, announcement) => showToast(announcement),
        remember: (_, open) => rememberRefund(open),
        forget: (_, { orderId }) => forgetRefund(orderId),
        refresh: () => void queryClient.invalidateQueries({ queryKey: moneyKey }),
      },
    }),
  );
  const left = useMemo(() => refundableOf(detail), [detail]);
  const allowed = useRefundAllowance(true)?.allowed ?? left.remaining;
  const [state, send] = useMachine(machine, {
    input: {
      orderId: order._id,
      paymentId: order.paymentId ?? '',
      left,
      refundType: allowed < left.remaining ? 'partial' : 'full',
      newKey: () => crypto.randomUUID(),
      open: loadOpenRefund(order._id),
    },
  });
  // A form that is being sent stays as it was when the button was pressed.
  const isEditable = state.hasTag('editable');
  useEffect(() => {
    if (isEditable) send({ type: 'left.changed', left });
  }, [left, isEditable, send]);
  useSettled(detail, state, send);
  useCleared(send);
  // The order page says what can be done after a failure that ends all refunds.
  const isDone = state.matches('completed') || (state.matches('failed') && order.refundBlock !== null);
  useEffect(() => {
    if (isDone) onClose();
  }, [isDone, onClose]);
  return { state, send };
}

type Refund = ReturnType<typeof useMachine<typeof refundMachine>>;

/** The page polls the order while a refund is pending; the dialog settles with it. */
function useSettled(detail: OrderDetail, state: Refund[0], send: Refund[1]): void {
  const isPending = state.matches('pending');
  const refund = refundOf(detail, state.context);
  useEffect(() => {
    if (!isPending || refund === undefined) return;
    const outcome = outcomeOf(refund);
    if (outcome.type !== 'refund.pending') send(outcome);
  }, [isPending, refund, send]);
}

/** After a sign-in, and when the browser is online again. */
function useCleared(send: Refund[1]): void {
  const session = useSessionState();
  const online = useOnline();
  useEffect(() => {
    if (session === 'signed-in' && online) send({ type: 'way.cleared' });
  }, [session, online, send]);
}
