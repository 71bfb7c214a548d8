import type { AttentionItem } from '@kilim/bff/contract/attention';
import type { ResolutionReason } from '@kilim/domain/accounting/resolutions';
import { formatDollars, noCents } from '@kilim/domain/money';
import { type ReimbursementMethod, reimbursementMethods } from '@kilim/domain/order/events';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Alert, Radio } from 'antd';
import { type FormEvent, useRef, useState } from 'react';
import { call } from '../../shared/call.ts';
import { showToast } from '../../shared/toast/toast-store.ts';
import { outcomeOf } from '../shared/api/outcome.ts';
import { booksKey, moneyKey } from '../shared/api/query-keys.ts';
import { explainDifference } from '../shared/resolve/resolve-calls.ts';
import { useMay } from '../shared/session/current-session.tsx';
import { usePasswordGate } from '../shared/session/password-gate.tsx';
import cards from '../shared/ui/card.module.css';
import { Dialog } from '../shared/ui/dialog.tsx';
import { DialogButtons } from '../shared/ui/dialog-buttons.tsx';
import { SelectField, TextAreaField } from '../shared/ui/field.tsx';
import { owedTexts as texts } from './texts.ts';

type Answer = ReimbursementMethod | 'square' | 'nothing';
type Why = { readonly reason: ResolutionReason | ''; readonly note: string };
type Problems = { readonly reason?: string; readonly note?: string };

type OwedDialogProps = { readonly item: AttentionItem; readonly onClose: () => void };

/** A failed refund leaves the list only by what really happened, so nothing is chosen at first. */
export function OwedDialog({ item, onClose }: OwedDialogProps) {
  const { orderId } = item;
  const title = texts.title(formatDollars(item.amount ?? noCents));
  const [mayRefund, mayNote] = [useMay('refund'), useMay('writeNotes')];
  const navigate = useNavigate();
  const { busy, refusal, settle, prompt } = useSettling(item, onClose);
  const [answer, setAnswer] = useState<Answer>();
  const [why, setWhy] = useState<Why>({ reason: '', note: '' });
  const [problems, setProblems] = useState<Problems>({});
  const leave = () => {
    if (answer === undefined || window.confirm(texts.discard)) onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy || answer === undefined) return;
    if (isPaid(answer)) {
      onClose();
      return void navigate({
        to: '/admin/orders/$orderId',
        params: { orderId: orderId ?? '' },
        state: { paidBy: answer },
      });
    }
    if (answer === 'square') return settle('SettledAtSquare', '');
    const found = problemsOf(why, mayNote);
    setProblems(found);
    if (why.reason !== '' && Object.keys(found).length === 0) settle(why.reason, mayNote ? why.note.trim() : '');
  };
  return (
    <>
      <Dialog title={title} onClose={busy ? undefined : leave}>
        <form className={cards.stack} onSubmit={submit} noValidate>
          {refusal !== undefined && <Alert type="error" role="alert" showIcon title={refusal} />}
          <fieldset disabled={busy} className={cards.stack}>
            <Radio.Group vertical aria-label={title} onChange={({ target }) => setAnswer(target.value as Answer)}>
              {texts.answers.map(
                ([each, text]) =>
                  (mayRefund || !isPaid(each)) && (
                    <Radio key={each} value={each}>
                      {text}
                    </Radio>
                  ),
              )}
            </Radio.Group>
            {answer !== undefined && <p>{isPaid(answer) ? texts.thenRecord : texts.consequence}</p>}
            {answer === 'nothing' && <WhyFields why={why} problems={problems} mayNote={mayNote} onEdit={setWhy} />}
          </fieldset>
          <DialogButtons busy={busy} onCancel={leave} disabled={answer === undefined}>
            {answer !== undefined && isPaid(answer) ? texts.record : texts.save}
          </DialogButtons>
        </form>
      </Dialog>
      {prompt}
    </>
  );
}

type WhyFieldsProps = {
  readonly why: Why;
  readonly problems: Problems;
  readonly mayNote: boolean;
  readonly onEdit: (why: Why) => void;
};

function WhyFields({ why, problems, mayNote, onEdit }: WhyFieldsProps) {
  return (
    <>
      <SelectField
        label={texts.reason}
        error={problems.reason}
        value={why.reason}
        options={texts.reasons}
        onChoose={(reason) => onEdit({ ...why, reason })}
      />
      {mayNote && (
        <TextAreaField
          label={texts.note}
          hint={texts.noteHint}
          error={problems.note}
          rows={2}
          maxLength={1000}
          value={why.note}
          onText={(note) => onEdit({ ...why, note })}
        />
      )}
    </>
  );
}

/** The ledger has reasons from a list only, so the words become a note of the order. */
function useSettling({ id, orderId, amount }: AttentionItem, onDone: () => void) {
  const queryClient = useQueryClient();
  const { busy, attempt, prompt } = usePasswordGate();
  const [refusal, setRefusal] = useState<string>();
  // A repeated call writes no second note.
  const written = useRef('');
  const writeNote = async (note: string) => {
    if (note === written.current || orderId === null) return undefined;
    const body = { text: texts.noteOf(formatDollars(amount ?? noCents), note) };
    const outcome = await outcomeOf(call('POST /api/admin/orders/:id/notes', { params: { id: orderId }, body }));
    if (outcome.kind !== 'done') return outcome;
    written.current = note;
    return undefined;
  };
  const settle = (reason: ResolutionReason, note: string) =>
    attempt({
      call: async () => (await writeNote(note)) ?? explainDifference({ code: 'RefundFailed', squareId: id, reason }),
      onDone: () => {
        onDone();
        for (const queryKey of [booksKey, moneyKey]) void queryClient.invalidateQueries({ queryKey });
        showToast({ title: texts.done });
      },
      onFailed: ({ message }) => setRefusal(message || texts.failed),
    });
  return { busy, refusal, settle, prompt };
}

function problemsOf({ reason, note }: Why, mayNote: boolean): Problems {
  return {
    ...(reason === '' && { reason: texts.missingReason }),
    ...(mayNote && note.trim() === '' && { note: texts.missingNote }),
  };
}

function isPaid(answer: Answer): answer is ReimbursementMethod {
  return reimbursementMethods.some((method) => method === answer);
}
