import { type ResolutionReason, resolutionReasons } from '@kilim/domain/accounting/resolutions';
import { type Cents, formatDollars } from '@kilim/domain/money';
import { unreachable } from '@kilim/domain/unreachable';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { orderNumberText } from '../../../shared/order-number.ts';
import { showToast } from '../../../shared/toast/toast-store.ts';
import type { Failed } from '../api/outcome.ts';
import { booksKey, moneyKey } from '../api/query-keys.ts';
import { usePasswordGate } from '../session/password-gate.tsx';
import cards from '../ui/card.module.css';
import { Dialog } from '../ui/dialog.tsx';
import { DialogButtons } from '../ui/dialog-buttons.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import {
  assignOrphan,
  explainDifference,
  refundOrphan,
  undoResolution,
  writeItemOff,
  writeOrphanOff,
} from './resolve-calls.ts';
import { resolveTexts } from './texts.ts';

/** Resolves a difference or open item, or takes that back. */
export type Resolving = {
  readonly message: string;
} & ({ readonly how: 'undo'; readonly version: number } | ({ readonly squareId: string } & ResolvingDifference));

type ResolvingDifference =
  | { readonly how: 'explain'; readonly code: string }
  | { readonly how: 'refund' | 'writeOff' | 'writeItemOff'; readonly amount: Cents }
  /** `orderId` is the order that Square's payment names, if any. */
  | { readonly how: 'assign'; readonly amount: Cents; readonly orderId: string | null };

type Problems = { readonly reason?: string | undefined; readonly order?: string | undefined };
type ResolveDialogProps = { readonly resolving: Resolving; readonly onClose: () => void };

/** Asks for the reason, and for a recent proof when the server wants one. */
export function ResolveDialog({ resolving, onClose }: ResolveDialogProps) {
  const { how, message } = resolving;
  const texts = resolveTexts[how];
  const queryClient = useQueryClient();
  const { busy, attempt, prompt } = usePasswordGate();
  const [reason, setReason] = useState<ResolutionReason | ''>('');
  const [order, setOrder] = useState(how === 'assign' && resolving.orderId ? orderNumberText(resolving.orderId) : '');
  const [problems, setProblems] = useState<Problems>({});
  const fail = (failed: Failed) => {
    const ofOrder = failed.code === 'NoSuchOrder' ? failed.message : failed.fields['orderId'];
    if (ofOrder !== undefined) return setProblems({ order: ofOrder });
    showToast({ title: texts.failed, description: failed.message, variant: 'destructive' });
  };
  const resolve = () => {
    const call = resolutionOf(resolving, { reason, order: order.trim() });
    const isOrderMissing = how === 'assign' && order.trim() === '';
    if (call === undefined || isOrderMissing) {
      return setProblems({
        ...(isOrderMissing && { order: resolveTexts.noOrder }),
        ...(call === undefined && { reason: resolveTexts.noReason }),
      });
    }
    attempt({
      call,
      onDone: () => {
        onClose();
        for (const queryKey of [booksKey, moneyKey]) void queryClient.invalidateQueries({ queryKey });
        showToast({ title: texts.done });
      },
      onFailed: fail,
    });
  };
  return (
    <>
      <Dialog title={texts.title} onClose={busy ? undefined : onClose}>
        <div className={cards.stack}>
          <p>{message}</p>
          <p>{texts.consequence}</p>
          {how === 'assign' && (
            <TextField
              label={resolveTexts.order}
              hint={resolveTexts.orderHint}
              error={problems.order}
              autoComplete="off"
              value={order}
              onText={(text) => {
                setOrder(text);
                setProblems({ ...problems, order: undefined });
              }}
            />
          )}
          {how !== 'undo' && (
            <SelectField<ResolutionReason | ''>
              label={resolveTexts.reason}
              error={problems.reason}
              value={reason}
              options={[
                ['', resolveTexts.choose],
                ...resolutionReasons.map((each) => [each, resolveTexts.reasons[each]] as const),
              ]}
              onChoose={(chosen) => {
                setReason(chosen);
                setProblems({ ...problems, reason: undefined });
              }}
            />
          )}
          <DialogButtons busy={busy} onCancel={onClose} danger={how === 'refund'} onClick={resolve}>
            {'amount' in resolving ? resolveTexts[resolving.how].action(formatDollars(resolving.amount)) : texts.button}
          </DialogButtons>
        </div>
      </Dialog>
      {prompt}
    </>
  );
}

type Answers = { readonly reason: ResolutionReason | ''; readonly order: string };

/** Undefined while a reason is missing. */
function resolutionOf(resolving: Resolving, { reason, order }: Answers) {
  if (resolving.how === 'undo') return () => undoResolution(resolving.version);
  if (reason === '') return undefined;
  const { squareId } = resolving;
  switch (resolving.how) {
    case 'explain':
      return () => explainDifference({ code: resolving.code, squareId, reason });
    case 'refund':
      return () => refundOrphan({ squareId, reason });
    case 'assign':
      return () => assignOrphan({ squareId, order, reason });
    case 'writeOff':
      return () => writeOrphanOff({ squareId, reason });
    case 'writeItemOff':
      return () => writeItemOff({ squareId, reason });
    default:
      return unreachable(resolving);
  }
}
